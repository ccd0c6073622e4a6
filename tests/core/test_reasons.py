"""Reasons of state changes: stored as a code with its parameter, read in the reader's language."""

import pytest
from django.utils import translation

from payments.core import clock, reasons, states
from payments.core.models import Transition
from payments.core.reasons import MoveReason, ReasonCode
from tests.support.charges import create
from tests.support.fixtures import ApiClient

# Codes that came after the sentences.
NEWER = {ReasonCode.PAYER_BEGAN_AGAIN, ReasonCode.ACCOUNT_NOT_VERIFIED}


def test_move_stores_code_and_parameter_and_no_sentence(api: ApiClient) -> None:
    order = create(api)
    reason = MoveReason(ReasonCode.REJECTED, "50 %s")
    states.move(order, "EXPIRED", now=clock.now(), actor="tests", reason=reason)
    move = Transition.objects.get(subject_id=order.pk)
    assert (move.reason_code, move.reason) == ("rejected", "50 %s")
    with translation.override("es"):
        assert reasons.shown(move.reason_code, move.reason) == "rechazado: 50 %s"


def test_words_of_a_person_are_stored_without_a_code(api: ApiClient) -> None:
    order = create(api)
    states.move(order, "EXPIRED", now=clock.now(), actor="tests", reason="by phone")
    move = Transition.objects.get(subject_id=order.pk)
    assert (move.reason_code, reasons.shown(move.reason_code, move.reason)) == ("", "by phone")


def test_reason_is_its_english_sentence_where_text_is_kept() -> None:
    with translation.override("es"):
        assert MoveReason(ReasonCode.STARTED, "PSE") == "PSE was started"


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("the deadline passed", "pasó el plazo"),
        ("PSE was started", "se inició PSE"),
        ("unmatched funds unm_1 were applied", "se aplicaron los fondos sin asignar unm_1"),
        ("", ""),
    ],
)
def test_sentence_stored_before_there_were_codes_is_translated(stored: str, expected: str) -> None:
    with translation.override("es"):
        assert reasons.shown("", stored) == expected


def test_every_code_has_its_old_sentence_or_is_newer() -> None:
    old = {*reasons._WRITTEN_BEFORE.values(), *reasons._WRITTEN_BEFORE_AROUND.values()}
    assert old == set(ReasonCode) - NEWER


def test_unknown_code_of_a_later_release_shows_its_parameter() -> None:
    assert reasons.shown("of_tomorrow", "PSE") == "PSE"
