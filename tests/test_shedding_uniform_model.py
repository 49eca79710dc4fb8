"""Uniform timing against a second, plain model of the same rules, for all presets and many other settings."""

import random

import numpy as np
import pytest
from checks import Check, against_model, failing
from playing import metric_values
from uniform_model import UniformDeal
from uniform_settings import SETTINGS, read_reference

from stressim.rulesfile import load_rules

DEALS = 24_000


@pytest.mark.parametrize("setting", SETTINGS)
def test_uniform__agrees_with_plain_model(setting: str) -> None:
    assert not failing(against_model(setting, DEALS))


@pytest.mark.parametrize("setting", SETTINGS)
def test_uniform_model__gives_its_stored_values(setting: str) -> None:
    name, *sets = setting.split()
    rules = load_rules(name, sets=sets).options
    rng = random.Random(3)
    counts = [UniformDeal(rules, rng).play() for _ in range(100)]
    found = metric_values({name: np.array([count[name] for count in counts]) for name in counts[0]})
    stored = read_reference()[setting]
    assert not failing([Check(metric, value, stored[metric]) for metric, value in found.items() if metric in stored])
