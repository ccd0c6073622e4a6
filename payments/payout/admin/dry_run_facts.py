"""The page of a dry run: figures, facts and warnings in words."""

from dataclasses import asdict
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext, ngettext

from payments.api.idempotency import fingerprint
from payments.console.formatting import amount, link
from payments.core import masking, money
from payments.payout.admin.hand_form import HandForm
from payments.payout.models import Network, Payout
from payments.payout.services import arrival_times, hand_warnings
from payments.payout.services.arrival_times import Arrival
from payments.payout.services.dry_run import DryRun
from payments.payout.services.team_approvals import Need

Fact = tuple[str, object]


def context(run: DryRun, form: HandForm, *, now: datetime) -> dict[str, Any]:
    payout = run.payout
    return {
        "amount": amount(payout.amount, money.FIAT),
        "to": _to(payout, is_typed=not form.is_saved),
        "facts": [*_facts(run, now), *_own(form)],
        "warnings": [
            *run.warnings,
            *hand_warnings.of_payout(payout, merchant_id=form.chosen.pk, now=now),
            *_of_code(form),
        ],
        "fee": money.text(payout.fee_amount),
        "seen": seen(form),
        "repeated": _repeated(run.repeated),
        "shortfall": "" if run.is_possible else amount(-run.balance_after, payout.currency),
    }


def seen(form: HandForm) -> str:
    """Of merchant, beneficiary and amount on the page. A kept beneficiary may change after it."""
    wanted = {**asdict(form.wanted()), "merchant": form.chosen.pk}
    return fingerprint(wanted).hex()


def read_fee(text: str) -> Decimal:
    """Of the page. Below zero, which is no fee, for a text that the page never has."""
    try:
        fee = Decimal(text)
    except InvalidOperation:
        return Decimal(-1)
    return fee if fee.is_finite() else Decimal(-1)


def waiting_for(need: Need) -> str:
    """With the names of the colleagues who may."""
    able = ", ".join(need.able)
    if need.people and need.person:
        team = gettext("the approval of %s") % (able or need.person)
    elif need.people:
        team = ngettext(
            "the approval of one colleague", "the approval of %(n)s colleagues", need.people
        ) % {"n": need.people}
        team += f" ({able})" if able else ""
    else:
        team = ""
    operator = gettext("the approval of Pasarela") if need.operator else ""
    return gettext(" and ").join(filter(None, [team, operator]))


def when_it_arrives(arrival: Arrival) -> list[str]:
    """What happened before, in place of a promise."""
    said = []
    if arrival.half is not None and arrival.most is not None:
        figures = {"half": _span(arrival.half), "most": _span(arrival.most)}
        text = gettext(
            "Of the last %(n)s payouts on this route, half arrived within %(half)s of being sent, "
            "and nine of ten within %(most)s."
        )
        if figures["half"] == figures["most"]:
            text = gettext(
                "Of the last %(n)s payouts on this route, nine of ten arrived within %(most)s of "
                "being sent."
            )
        said.append(text % {"n": arrival.count, **figures})
    elif arrival.latest_day is None:
        said.append(gettext("Bre-B moves money within seconds, at any hour of any day."))
    if arrival.latest_day is not None:
        text = gettext("Banks book on business days: expect it on %s at the latest, if sent today.")
        said.append(text % day_shown(arrival.latest_day))
    return said


def day_shown(day: date) -> str:
    """`lunes 24 de noviembre`; in English `Monday 24 November`."""
    return date_format(day, _day_form("l "))


def _facts(run: DryRun, now: datetime) -> list[Fact]:
    payout, need = run.payout, waiting_for(run.need)
    arrival = arrival_times.expected(payout, now=now)
    told = when_it_arrives(arrival)
    if need:
        told.append(gettext("It is sent after the approval."))
    holder = run.holder or gettext("No rail can tell whose key this is.")
    return [
        *([(gettext("Holder of the key"), holder)] if payout.network == Network.BREB else []),
        (gettext("Fee"), amount(payout.fee_amount, money.FIAT)),
        (gettext("Taken from your balance"), amount(payout.debit, payout.currency)),
        (gettext("Balance now"), amount(run.available, payout.currency)),
        (gettext("Balance after"), amount(run.balance_after, payout.currency)),
        (gettext("Arrives"), " ".join(told)),
        (gettext("Waits for"), need or gettext("nothing: it is sent at once")),
    ]


def _own(form: HandForm) -> list[Fact]:
    values = form.cleaned_data
    told = [
        (gettext("Description"), values["description"]),
        (gettext("Your reference"), values["reference"]),
    ]
    return [(label, value) for label, value in told if value]


def _to(payout: Payout, *, is_typed: bool) -> list[str]:
    """What the person typed just now is shown whole, so that mistakes are seen."""
    tail = str if is_typed else masking.tail
    contact = str if is_typed else masking.contact
    document = f"{payout.recipient_doc_type} {tail(payout.recipient_doc_number)}"
    if payout.bank is not None:
        kind = payout.get_account_type_display()
        place = f"{payout.bank.name} · {kind} · {tail(payout.account_number)}"
    else:
        place = f"Bre-B · {payout.get_key_type_display()} · {contact(payout.key_value)}"
    return [payout.recipient_name, document, place]


def _repeated(payout: Payout | None) -> dict[str, object] | None:
    if payout is None:
        return None
    day = date_format(localtime(payout.created_at), f"{_day_form()}, H:i")
    return {"id": payout.pk, "day": day, "link": link(payout, payout.pk)}


def _day_form(weekday: str = "") -> str:
    """`24 de noviembre`; in English `24 November`."""
    is_spanish = (get_language() or "").startswith("es")
    return weekday + (r"j \d\e F" if is_spanish else "j F")


def _of_code(form: HandForm) -> list[str]:
    if form.code is None:
        return []
    code, found = form.code.code, []
    if not code.is_static:
        found.append(
            gettext("A payout to this key may not be connected with the purchase at the shop.")
        )
    if code.amount is not None and code.amount != form.cleaned_data["amount"]:
        text = gettext("The QR code asks for another amount: %s.")
        found.append(text % amount(code.amount, money.FIAT))
    return found


def _span(passed: timedelta) -> str:
    seconds = max(int(passed.total_seconds()), 1)
    if seconds < 60:
        return ngettext("%(n)s second", "%(n)s seconds", seconds) % {"n": seconds}
    if seconds < 3600:
        minutes = round(seconds / 60)
        return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}
    hours = round(seconds / 3600)
    return ngettext("%(n)s hour", "%(n)s hours", hours) % {"n": hours}
