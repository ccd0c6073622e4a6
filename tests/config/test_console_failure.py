"""The page of our own failures, as operators meet it: it says nothing of paying."""

from django.test import RequestFactory

from config import pages


def text_of(path: str) -> str:
    request = RequestFactory().get(path, headers={"accept-language": "en"})
    request.META["pasarela.request_id"] = "req-77"
    answer = pages.failed(request)
    assert answer.status_code == 500
    return answer.content.decode()


def test_operators_are_told_to_look_at_the_record_before_they_repeat() -> None:
    text = text_of("/admin/payout/payout/")
    assert "Open the record before you do it again" in text
    assert "Do not pay again" not in text
    assert text.count("req-77") == 1


def test_payers_are_told_not_to_pay_again() -> None:
    text = text_of("/pay/x")
    assert "Do not pay again" in text
    assert "Open the record" not in text
    assert text.count("req-77") == 1
