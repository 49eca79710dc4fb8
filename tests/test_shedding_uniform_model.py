"""Uniform timing against a second, plain model of the same rules, for all presets and many other settings."""

import pytest
from checks import against_model, failing
from uniform_settings import FINGERPRINT, SETTINGS, first_moves, read_reference

DEALS = 16_000


@pytest.mark.parametrize("setting", SETTINGS)
def test_uniform__agrees_with_plain_model(setting: str) -> None:
    checks = against_model(setting, DEALS)
    assert len(checks) > 20
    assert not failing(checks)


@pytest.mark.parametrize("setting", SETTINGS)
def test_uniform_model__plays_as_when_its_values_were_stored(setting: str) -> None:
    assert first_moves(setting) == read_reference()[setting][FINGERPRINT].estimate
