"""Application config of payment links."""

from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry


class LinksConfig(AppConfig):
    name = "payments.links"
    label = "links"
    verbose_name = _("Payment links")
    # The console's page for the subject of a posting, by the prefix of the subject's id.
    subject_pages: ClassVar[dict[str, str]] = {"lnk": "links_paymentlink"}
    console = registry.AppConsole(
        sections=(
            registry.section(
                10,
                _("Collections"),
                registry.Entry(
                    _("Payment links"),
                    "add_link",
                    "links.paymentlink",
                    order=-1,
                    merchant_link="links",
                ),
            ),
        ),
        search=(
            registry.searched(
                "links.paymentlink",
                "lnk",
                registry.equals("code"),
                names=("title",),
                is_kept=True,
            ),
        ),
        shortcuts=(
            registry.Shortcut(
                order=1,
                label=_("Create payment link"),
                icon="add_link",
                url_name="admin:links_paymentlink_new_link",
                right="links.make_paymentlink",
            ),
        ),
        first_steps="payments.links.admin.first_steps.steps",
        rights={
            registry.EVERYONE: "view_paymentlink",
            registry.OF_MERCHANTS: "make_paymentlink",
            registry.SUPPORT: "make_paymentlink",
            registry.FINANCE: "make_paymentlink",
        },
        right_names={"make_paymentlink": gettext_noop("Can make and change payment links")},
    )

    def ready(self) -> None:
        from payments.collect.hooks import completed, retry_checks

        retry_checks.add("payments.links.services.payments.may_take_another_use")
        completed.add("payments.links.services.link_events.publish_paid")
