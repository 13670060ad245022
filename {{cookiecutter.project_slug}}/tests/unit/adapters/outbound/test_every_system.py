"""What holds for every external system that discovery finds."""

import inspect
from typing import Any

import pytest

from {{ cookiecutter.package_name }}.infrastructure.graph import load_systems
from {{ cookiecutter.package_name }}.resilience.operation import Kind
from {{ cookiecutter.package_name }}.resilience.protected import operations
from {{ cookiecutter.package_name }}.resilience.system import System

every_system = pytest.mark.parametrize("system", load_systems(), ids=lambda system: system.name)


@every_system
def test_res_iso_3_its_variables_bear_its_name(system: System[Any]) -> None:
    assert system.settings.model_config["env_prefix"] == f"CLIENT_{system.name.upper()}__"


@every_system
def test_res_cb_1_whatever_its_adapter_offers_is_protected(system: System[Any]) -> None:
    assert isinstance(system.adapter, type)
    offered = {name for name, _ in inspect.getmembers(system.adapter, inspect.isfunction) if not name.startswith("_")}

    assert offered == {operation.name for operation in operations(system.adapter)}


@every_system
def test_res_hc_3_its_health_is_asked_by_a_probe(system: System[Any]) -> None:
    assert isinstance(system.adapter, type)
    probes = [operation.name for operation in operations(system.adapter) if operation.kind is Kind.PROBE]

    assert probes == ["ping"]
