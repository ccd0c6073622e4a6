"""Production refuses a simulator that would take or send no real money."""

import pytest

from config.checks import production_settings


def refused(settings, **changes):
    for name, value in {"SANDBOX": False, "SIMULATOR_CALLBACK_SECRET": "given", **changes}.items():
        setattr(settings, name, value)
    return {problem.id for problem in production_settings(None)}


@pytest.mark.parametrize(("setting", "number"), [("PAYIN", 5), ("PAYOUT", 9)])
def test_each_simulator_is_refused_for_itself(settings, setting, number):
    settings.PAYIN_PROVIDER = settings.PAYOUT_PROVIDER = "a-real-one"
    assert not {"pasarela.E005", "pasarela.E009"} & refused(settings)
    found = refused(settings, **{f"{setting}_PROVIDER": "simulator"})
    assert {"pasarela.E005", "pasarela.E009"} & found == {f"pasarela.E{number:03d}"}


@pytest.mark.parametrize("setting", ["PAYIN_PROVIDER", "PAYOUT_PROVIDER"])
def test_a_published_secret_is_refused_while_any_simulator_signs_with_it(settings, setting):
    settings.PAYIN_PROVIDER = settings.PAYOUT_PROVIDER = "a-real-one"
    published = {"SANDBOX": True, "SIMULATOR_CALLBACK_SECRET": "simulator-callback-secret"}
    assert "pasarela.E008" not in refused(settings, **published)
    assert "pasarela.E008" in refused(settings, **published, **{setting: "simulator"})


def test_a_service_may_have_no_provider_of_payouts(settings):
    assert "pasarela.E009" not in refused(settings, PAYOUT_PROVIDER="")
