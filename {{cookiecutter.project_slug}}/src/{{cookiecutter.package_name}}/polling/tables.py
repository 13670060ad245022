"""The tables of the kit, and the shape of every task table.

A task table belongs to one task and one aggregate. Its row is the lease, the retry and the audit of one piece of work;
what the columns mean is drawn in the package's docstring.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, UUID

metadata = MetaData(
    naming_convention={
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    }
)

STATUSES = ("PENDING", "IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED")
OPEN = "status IN ('PENDING', 'IN_PROGRESS')"
"""Literal in every statement: bound, a generic plan cannot use the partial index (175 ms instead of 0.6)."""

VACUUM = {"autovacuum_vacuum_scale_factor": "0.01", "autovacuum_vacuum_threshold": "1000"}
"""A queue's rows die young: the default of 20 % would let a large table grow dead rows under every claim."""


def id_column(table: Table) -> str:
    """Return the name of a table's one primary key column.

    Raises:
        ValueError: the primary key is not one column.
    """
    names = [column.name for column in table.primary_key.columns]
    if len(names) != 1:
        raise ValueError(f"table {table.name}: the primary key must be one column")
    return names[0]


def aggregate_name(aggregate: Table) -> str:
    """Return the aggregate's name; its primary key is `<name>_id`."""
    return id_column(aggregate).removesuffix("_id")


def _instant(name: str, *, now: bool = False, nullable: bool = False) -> Column[object]:
    default = func.now() if now else None
    return Column(name, DateTime(timezone=True), nullable=nullable, server_default=default)


def task_table(task: str, aggregate: Table) -> Table:
    """Declare the table `<task>_task` of one task, on the aggregate's metadata."""
    name, owner = f"{task}_task", id_column(aggregate)
    return Table(
        name,
        aggregate.metadata,
        Column("task_id", BigInteger, Identity(), primary_key=True),
        # Named by hand: the convention's name, with the column in it, would pass 63 bytes for names of 40 characters.
        Column(owner, BigInteger, ForeignKey(aggregate.c[owner], name=f"fk_{name}_aggregate"), nullable=False),
        Column("idempotency_key", UUID(as_uuid=True), nullable=False, server_default=text("gen_random_uuid()")),
        Column("external_id", Text),
        # PENDING -> IN_PROGRESS -> COMPLETED | FAILED | CANCELLED; FAILED -> PENDING | IN_PROGRESS by operators only
        Column("status", Text, nullable=False, server_default="PENDING"),
        Column("retry_count", Integer, nullable=False, server_default="0"),
        Column("poll_count", Integer, nullable=False, server_default="0"),
        Column("claim_no", Integer, nullable=False, server_default="0"),
        Column("claimed_by", Text),
        Column("no_outcome", Integer, nullable=False, server_default="0"),
        _instant("next_attempt_at", now=True),
        _instant("deadline_at", nullable=True),
        Column("payload", JSONB),  # NULL: erased by an operator
        Column("last_error", Text),
        Column("traceparent", Text),
        _instant("created_at", now=True),
        _instant("updated_at", now=True),
        _instant("finished_at", nullable=True),
        CheckConstraint(f"status IN {STATUSES}", name="status"),
        Index(f"ix_{name}_due", "next_attempt_at", postgresql_where=text(OPEN)),
        Index(f"ix_{name}_failed", "task_id", postgresql_where=text("status = 'FAILED'")),
        Index(f"ix_{name}_aggregate", owner, "task_id"),
        Index(f"uq_{name}_open", owner, unique=True, postgresql_where=text(OPEN)),
        info={"task": task, "aggregate": aggregate_name(aggregate)},
        postgresql_with=VACUUM,
    )


def task_tables(of: MetaData) -> list[Table]:
    """Return all task tables on a metadata, by task name."""
    return sorted((table for table in of.tables.values() if "task" in table.info), key=lambda t: str(t.info["task"]))


outbox = Table(
    "polling_outbox",
    metadata,
    Column("event_id", BigInteger, Identity(), primary_key=True),
    Column("topic", Text, nullable=False),
    Column("task", Text, nullable=False),
    Column("task_id", BigInteger, nullable=False),
    Column("aggregate", Text, nullable=False),
    Column("aggregate_id", BigInteger, nullable=False),
    Column("reason", Text),
    _instant("created_at", now=True),
    _instant("claimed_until", nullable=True),
    Column("claim_no", Integer, nullable=False, server_default="0"),
    # NULL -> set once every handler has the event, or a row in polling_delivery for what it owes
    _instant("published_at", nullable=True),
    Index("ix_polling_outbox_unpublished", "event_id", postgresql_where=text("published_at IS NULL")),
    Index(
        "ix_polling_outbox_order",
        "aggregate",
        "aggregate_id",
        "event_id",
        postgresql_where=text("published_at IS NULL"),
    ),
    postgresql_with=VACUUM,
)

delivery = Table(
    "polling_delivery",
    metadata,
    # One event that one handler has not taken yet: it failed, or waits behind one of its aggregate that did.
    Column("event_id", BigInteger, ForeignKey(outbox.c.event_id, ondelete="CASCADE"), nullable=False),
    Column("subscription", Text, nullable=False),
    Column("aggregate", Text, nullable=False),
    Column("aggregate_id", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    _instant("next_attempt_at", now=True),
    Column("claim_no", Integer, nullable=False, server_default="0"),
    Column("last_error", Text),
    PrimaryKeyConstraint("subscription", "event_id"),
    Index("ix_polling_delivery_due", "next_attempt_at"),
    Index("ix_polling_delivery_order", "subscription", "aggregate", "aggregate_id", "event_id"),
    postgresql_with=VACUUM,
)

idempotency_key = Table(
    "polling_idempotency_key",
    metadata,
    Column("scope", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("aggregate_id", BigInteger, nullable=False),
    Column("task_id", BigInteger, nullable=False),
    _instant("created_at", now=True),
    PrimaryKeyConstraint("scope", "key"),
    Index("ix_polling_idempotency_key_created_at", "created_at"),
    postgresql_with=VACUUM,
)

pause = Table(
    "polling_pause",
    metadata,
    # A row here keeps every process from claiming the task.
    Column("task", Text, primary_key=True),
    Column("reason", Text, nullable=False),
    Column("actor", Text, nullable=False),
    _instant("created_at", now=True),
)

action = Table(
    "polling_action",
    metadata,
    # What operators did, and why.
    Column("action_id", BigInteger, Identity(), primary_key=True),
    Column("action", Text, nullable=False),
    Column("task", Text, nullable=False),
    Column("filters", JSONB, nullable=False),
    Column("task_ids", ARRAY(BigInteger), nullable=False),
    Column("reason", Text, nullable=False),
    Column("actor", Text, nullable=False),
    _instant("created_at", now=True),
)
