"""The page with the form of a link."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext

from payments.console import tenancy
from payments.console.actions import ALREADY_SENT, claim_form, new_form_token
from payments.console.formatting import actor
from payments.console.model_admins import ConsoleAdmin
from payments.core import clock
from payments.core.errors import ServiceError, ValidationFailed
from payments.links.admin.forms import LinkForm, initial_of, preview_of
from payments.links.models import PaymentLink
from payments.links.services import links, rules


class FormPage(ConsoleAdmin):
    def form_page(self, request: HttpRequest, link: PaymentLink | None, title: Any) -> HttpResponse:
        if not self.has_right(request, "make"):
            raise PermissionDenied
        is_sent = request.method == "POST"
        own = tenancy.merchants(request) if tenancy.is_merchant_user(request) else None
        if own == []:
            raise PermissionDenied
        form = LinkForm(
            request.POST if is_sent else None,
            request.FILES if is_sent else None,
            merchants=own,
            link=link,
            initial=initial_of(link) if link else {"merchant": request.GET.get("merchant")},
        )
        if is_sent and form.is_valid() and (done := self._save(request, form, link)):
            return done
        return self.page(
            request,
            "admin/links/form.html",
            status=400 if is_sent else 200,
            title=title,
            form=form,
            preview=preview_of(form),
            subject=link,
            form_token=new_form_token(),
            back_url=self.back_url(link),
        )

    def _save(
        self, request: HttpRequest, form: LinkForm, link: PaymentLink | None
    ) -> HttpResponse | None:
        """None if the form has errors now."""
        now = clock.now()
        if _add_problems(form, link, now):
            return None
        if not claim_form(request):
            form.add_error(None, str(ALREADY_SENT))
            return None
        try:
            saved = _write(request, form, link, now)
        except ValidationFailed as error:
            form.add_error(None, str(error))
            return None
        except ServiceError as error:
            form.add_error(None, error.shown())
            return None
        done = gettext("The link was changed.") if link else gettext("The link is ready to share.")
        self.message_user(request, done, messages.SUCCESS)
        return redirect(self.back_url(saved))


def _add_problems(form: LinkForm, link: PaymentLink | None, now: datetime) -> bool:
    """Checks what the service checks, so that each problem stands at its field."""
    merchant = form.of or form.cleaned_data["merchant"]
    values = form.values()
    draft = link or PaymentLink(merchant=merchant, currency=form.currency_of)
    before = {name: getattr(draft, name) for name in values}
    for name, value in values.items():
        setattr(draft, name, value)
    problems = rules.find_problems(draft, merchant, now)
    for name, value in before.items():
        setattr(draft, name, value)
    renamed = {"expires_at": "expires", "own_fields": "own_label_0"}
    for name, problem in problems.items():
        field = renamed.get(name, name)
        form.add_error(field if field in form.fields else None, problem.shown())
    return bool(problems)


def _write(
    request: HttpRequest, form: LinkForm, link: PaymentLink | None, now: datetime
) -> PaymentLink:
    if link is not None:
        return links.update_link(link=link, actor=actor(request), now=now, **form.values())
    made, _replayed = links.create_link(
        merchant=form.of or form.cleaned_data["merchant"],
        new_link=links.NewLink(fields=form.values(), currency=form.currency_of),
        actor=actor(request),
        now=now,
    )
    return made
