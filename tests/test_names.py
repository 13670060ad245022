"""How answers become systems, aggregates and tasks."""

import re
from typing import Any

import pytest
from hook_modules import TEMPLATE, pre_gen


def model(systems: str, tasks: str) -> dict[str, Any]:
    """Returns the model of answers that must be accepted."""
    verdict = pre_gen.judge(pre_gen.DEFAULTS | {"external_systems": systems, "tasks": tasks})
    assert verdict.problems == []
    return dict(verdict.model)


@pytest.mark.parametrize(
    ("singular", "plural"),
    [
        ("order", "orders"),
        ("policy", "policies"),
        ("day", "days"),
        ("y", "ys"),
        ("a_y", "a_ys"),
        ("x9y", "x9ys"),
        ("bus", "buses"),
        ("box", "boxes"),
        ("quiz", "quizes"),
        ("branch", "branches"),
        ("wish", "wishes"),
        ("a", "as"),
        ("purchase_order", "purchase_orders"),
    ],
)
def test_plurals_follow_the_three_rules(singular: str, plural: str) -> None:
    assert pre_gen.plural(singular) == plural


def test_lists_are_split_on_commas_and_lines_and_trimmed() -> None:
    found = model("  sber ,\n insurance,\n\n,", "\n order_confirmation @ sber \n,policy_issue@insurance,\n")

    assert [system["name"] for system in found["systems"]] == ["sber", "insurance"]
    assert [(task["name"], task["system"]) for task in found["tasks"]] == [
        ("order_confirmation", "sber"),
        ("policy_issue", "insurance"),
    ]


def test_the_first_word_is_the_aggregate_and_the_rest_the_action() -> None:
    (task,) = model("sber", "order_partial_refund@sber")["tasks"]

    assert (task["aggregate"], task["action"], task["table"]) == (
        "order",
        "partial_refund",
        "order_partial_refund_task",
    )
    assert (task["cls"], task["kebab"], task["action_kebab"]) == (
        "OrderPartialRefund",
        "order-partial-refund",
        "partial-refund",
    )


def test_a_dot_ends_an_aggregate_of_several_words() -> None:
    found = model("crm", "purchase_order.confirmation@crm, purchase_order.receipt@crm")

    (aggregate,) = found["aggregates"]
    assert (aggregate["name"], aggregate["cls"], aggregate["url"], aggregate["table"], aggregate["id"]) == (
        "purchase_order",
        "PurchaseOrder",
        "/purchase-orders",
        "purchase_orders",
        "purchase_order_id",
    )
    assert [(task["name"], task["is_first"]) for task in found["tasks"]] == [
        ("purchase_order_confirmation", True),
        ("purchase_order_receipt", False),
    ]


def test_a_one_word_task_is_its_own_aggregates_first_task() -> None:
    found = model("crm", "lead@crm, lead_import@crm")

    assert [aggregate["name"] for aggregate in found["aggregates"]] == ["lead"]
    assert [(task["name"], task["is_first"], task["table"], task["branch"]) for task in found["tasks"]] == [
        ("lead", True, "lead_task", "lead_task"),
        ("lead_import", False, "lead_import_task", "lead_import"),
    ]


def test_systems_may_have_no_task_and_tasks_may_be_none() -> None:
    assert model("sber, crm", "order_confirmation@sber")["systems"][1]["name"] == "crm"
    assert model("sber", "  ")["tasks"] == []


@pytest.mark.parametrize("action", ["return", "import", "class", "task", "none", "polling", "head", "con", "db"])
def test_an_action_may_be_a_word_that_nothing_else_could_be(action: str) -> None:
    (task,) = model("sber", f"order_{action}@sber")["tasks"]

    assert task["action"] == action


@pytest.mark.parametrize(
    "name",
    ["http", "client", "metrics", "json", "httpx", "order", "crm_client", "polling", "on", "no", "y", "n", "null", "a"],
)
def test_ordinary_words_are_good_names_for_systems(name: str) -> None:
    assert model(f"crm, {name}", "")["systems"][1]["name"] == name


def test_names_of_forty_characters_are_accepted() -> None:
    name = "order_" + "c" * 34

    (task,) = model("s" * 40, f"{name}@{'s' * 40}")["tasks"]

    assert task["name"] == name


def test_revisions_depend_on_kind_and_name_only() -> None:
    first = model("sber", "order_confirmation@sber, order_receipt@sber")
    second = model("crm, sber", "lead@crm, order_receipt@crm, order_confirmation@crm")

    def revisions(found: dict[str, Any], kind: str) -> dict[str, str]:
        return {item["name"]: item["revision"] for item in found[kind]}

    assert revisions(first, "tasks").items() <= revisions(second, "tasks").items()
    assert revisions(first, "aggregates").items() <= revisions(second, "aggregates").items()
    assert all(re.fullmatch("[0-9a-f]{12}", value) for value in revisions(second, "tasks").values())


def test_no_placeholder_can_meet_a_file_that_lies_beside_it() -> None:
    """A plain file beside `__system__` would be overwritten by a system of its name, so that name is refused."""
    taken = pre_gen.OUTBOUND | pre_gen.OWN_BRANCHES
    project = TEMPLATE / "{{cookiecutter.project_slug}}"
    for source in project.rglob("*__*__*"):
        found = re.fullmatch(r"__(system|aggregate|task|further_task)__(?:\.py)?(?:\.jinja)?", source.name)
        if found:
            beside = {path.name.partition(".")[0] for path in source.parent.iterdir()} - {source.name.partition(".")[0]}
            own = {name for name in beside if not name.startswith(("__", "."))}
            assert own <= taken, f"{source.parent.relative_to(project)}: refuse {own - taken} as a name"
