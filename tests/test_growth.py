"""Adding a system, an aggregate or a task adds files and changes none: the promise of the whole layout."""

import pytest
from baking import Oven

BEFORE = {
    "external_systems": "sber, insurance",
    "tasks": "order_confirmation@sber, policy_issue@insurance",
}
GROWTH = {
    "a system": ({"external_systems": "sber, insurance, crm"}, "crm"),
    "a system in front": ({"external_systems": "crm, sber, insurance"}, "crm"),
    "an aggregate": ({"tasks": "order_confirmation@sber, policy_issue@insurance, lead_import@sber"}, "lead"),
    "an aggregate in front": ({"tasks": "lead_import@sber, order_confirmation@sber, policy_issue@insurance"}, "lead"),
    "a further task": (
        {"tasks": "order_confirmation@sber, policy_issue@insurance, order_receipt@insurance"},
        "order_receipt",
    ),
    "a system with a further task and an aggregate": (
        {
            "external_systems": "sber, insurance, crm",
            "tasks": "order_confirmation@sber, policy_issue@insurance, order_sync@crm, purchase_order.receipt@crm",
        },
        "crm",
    ),
}


@pytest.mark.parametrize(("more", "name"), GROWTH.values(), ids=list(GROWTH))
def test_growth_adds_files_and_changes_none(bake: Oven, more: dict[str, str], name: str) -> None:
    before, after = bake(**BEFORE).tree(), bake(**BEFORE | more).tree()

    assert {path for path in before if path not in after} == set()
    assert {path for path in before if before[path] != after[path]} == set()
    added = after.keys() - before.keys()
    assert any(name in path for path in added)


def test_a_first_task_in_a_service_without_any_adds_files_and_changes_none(bake: Oven) -> None:
    before = bake(external_systems="sber", tasks="").tree()
    after = bake(external_systems="sber", tasks="order_confirmation@sber").tree()

    assert {path for path in before if before[path] != after.get(path)} == set()
    assert after.keys() > before.keys()
