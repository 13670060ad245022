"""Sets of answers that the tests bake: what is odd about each is its name."""

from itertools import cycle

ONE_LETTER = {
    "project_name": "S",
    "project_slug": "s",
    "package_name": "s",
    "external_systems": "n, y",
    "tasks": "a@n, a_b@y, y.x@n",
}
LONG_SYSTEMS = ("s" * 40, "very_" * 7 + "long1")
LONG_AGGREGATE = f"{'u' * 19}_{'v' * 14}"
FORTY = {
    "project_name": "P" * 40,
    "project_slug": "p" * 40,
    "package_name": "q" * 40,
    "external_systems": ", ".join(LONG_SYSTEMS),
    "tasks": f"""
        {"t" * 40}@{LONG_SYSTEMS[0]}
        {LONG_AGGREGATE}.{"w" * 5}@{LONG_SYSTEMS[0]}
        {LONG_AGGREGATE}.{"x" * 5}@{LONG_SYSTEMS[1]}
        {"y" * 19}_{"z" * 18}.w@{LONG_SYSTEMS[1]}
    """,
}
NO_TASK = {"project_name": "Small", "external_systems": "sber", "tasks": ""}
LARGE = {
    "project_name": "Large",
    "external_systems": ",".join(f"system{number}" for number in range(1, 11)),
    "tasks": ",".join(f"thing{number}_check@system{number},thing{number}_settle@system1" for number in range(1, 11)),
}
MAXIMAL = {
    "project_name": 'Größter "Dienst" \\ 🚀',
    "project_slug": "maximal-service",
    "package_name": "maximal",
    "description": "Says \"quotes\", 'apostrophes', back\\slashes, 100%} and\nmore on a second line: # no comment 🚀",
    "owner": 'Team "Payments" & Co. <a\\b>',
    # A system without a task, names that are words of YAML or of the service's own, one name before another's prefix.
    "external_systems": "sber, insurance, receipt, on, client, pay, pay_ments",
    "tasks": """
        order_confirmation@sber
        order_receipt@receipt
        policy_issue@insurance
        purchase_order.confirmation@sber
        lead@client
        lead_import@on
        event_mapping@pay
    """,
    "python_version": "3.12",
    "ci": "gitlab",
    "license": "Apache-2.0",
}
# Words that name something else in Python, SQL, YAML or in the service's own modules: what these import, what they call
# their variables, and what generated names are made of.
TREACHEROUS_SYSTEMS = """
    guard call adapter system http json on null metrics domain client settings probe db_api
"""
TREACHEROUS_AGGREGATES = """
    mapping any event protocol uuid user table sequence accepted outcome aggregate resources database column
    request router json completed rejected submitted final self callable acceptance call guard identity literal
    response service subscription waker entity handler scheduler group index select values adapter settings
    payload metadata a_p_i_router u_u_i_d base_model big_integer claimed_task config_dict date_time
    idempotency_key still_pending task_view task_resources system_failed_error new_order order order_status
    order_body client
"""
TREACHEROUS_ACTIONS = """
    return import class completed failed rejected handler scheduler accepted task id view payload repository
    response routes object submitted pending event order select from queued created_at polling head con none
    status
"""


def treacherous_tasks() -> str:
    """Gives every aggregate one of the actions and one of the systems, and some a further task."""
    systems, actions = cycle(TREACHEROUS_SYSTEMS.split()), cycle(TREACHEROUS_ACTIONS.split())
    tasks = [f"{name}.{next(actions)}@{next(systems)}" for name in TREACHEROUS_AGGREGATES.split()]
    return ", ".join([*tasks, "order.receipt@http", "mapping.handle@http", "event.failed@json", "date@on", "sort@null"])


TREACHEROUS = {
    "project_name": "Treacherous",
    "package_name": "zz",
    "external_systems": ", ".join(TREACHEROUS_SYSTEMS.split()),
    "tasks": treacherous_tasks(),
}
NAMED: dict[str, dict[str, str]] = {
    "defaults": {},
    "no-task": NO_TASK,
    "one-letter": ONE_LETTER,
    "forty-characters": FORTY,
    "large": LARGE,
    "maximal": MAXIMAL,
    "treacherous": TREACHEROUS,
}
