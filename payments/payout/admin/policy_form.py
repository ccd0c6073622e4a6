"""The form of a merchant's approval rules: some lines, each with an amount and who approves."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.console.actions import ReasonForm
from payments.core import money
from payments.core.typed_amounts import pesos_in_one_way
from payments.payout.admin.place_form import CHOOSE, choice_field, text_field
from payments.payout.services import team
from payments.payout.services.approval_rules import MOST_TIERS, Tier

ABOVE = _("Above this amount, in pesos")
HOW_MANY = _("How many people approve")
WHO = [
    CHOOSE,
    ("0", _("no other person: it is sent at once")),
    ("1", _("one approver")),
    ("2", _("two approvers")),
]


class PolicyForm(ReasonForm):
    merchant = choice_field(_("Account"), ())
    chosen: Merchant
    tiers: list[Tier]

    def __init__(self, merchants: Sequence[Merchant], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.merchants = {one.pk: one for one in merchants}
        choices = [(one.pk, one.name) for one in merchants]
        self.fields["merchant"].choices = choices  # type: ignore[attr-defined]
        if len(merchants) < 2:
            del self.fields["merchant"]
        names = sorted({name for one in merchants for name in _names(one)})
        who = [*WHO, *((f"@{name}", gettext("only %s") % name) for name in names)]
        for number in range(1, MOST_TIERS + 1):
            hint = gettext("For example %s") % money.grouped("500000") if number == 1 else ""
            self.fields[f"above_{number}"] = text_field(ABOVE, 30, help_text=hint)
            self.fields[f"who_{number}"] = choice_field(HOW_MANY, who)

    def too_few(self, user: User) -> str:
        """A warning if a rule asks for more people than may approve under it. Empty: none."""
        able = team.approvers(merchant_id=self.chosen.pk, asked_by=user.get_username())
        people = team.count_people(able)
        if all(tier.people <= people for tier in self.tiers):
            return ""
        none = gettext("Your team has no approver beside you, who propose the rules.")
        one = gettext("Your team has one approver beside you, who propose the rules.")
        then = gettext(
            "What a rule asks of more people waits for Pasarela, too. Invite another approver, or "
            "propose the rules as they are."
        )
        return f"{one if people else none} {then}"

    @property
    def lines(self) -> list[tuple[Any, Any]]:
        numbers = range(1, MOST_TIERS + 1)
        return [(self[f"above_{number}"], self[f"who_{number}"]) for number in numbers]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        pk = values.get("merchant") or next(iter(self.merchants), "")
        if pk not in self.merchants:
            raise forms.ValidationError(gettext("You work for no merchant."))
        self.chosen = self.merchants[pk]
        numbers = range(1, MOST_TIERS + 1)
        self.tiers = [tier for number in numbers if (tier := self._tier(values, number))]
        return values

    def _tier(self, values: dict[str, Any], number: int) -> Tier | None:
        text, who = values.get(f"above_{number}") or "", values.get(f"who_{number}") or ""
        if not text and not who:
            return None
        above = pesos_in_one_way(text) if text else None
        if above is None:
            text = gettext("An amount such as %s, or 0.") % money.grouped("500000")
            self.add_error(f"above_{number}", text)
        if not who:
            self.add_error(f"who_{number}", gettext("Choose who approves."))
        if above is None or not who:
            return None
        if who.startswith("@"):
            return Tier(above=above, people=1, person=who[1:])
        return Tier(above=Decimal(above), people=int(who))


def _names(merchant: Merchant) -> list[str]:
    return list(team.with_right(merchant.pk).values_list("username", flat=True))
