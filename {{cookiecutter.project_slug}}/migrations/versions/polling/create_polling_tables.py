"""Tables of the polling kit: outbox, deliveries, idempotency keys, pauses, operators' actions."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

revision = "30d7c87d0753"
down_revision = None
branch_labels = ("polling",)
depends_on = None

VACUUM = {"autovacuum_vacuum_scale_factor": "0.01", "autovacuum_vacuum_threshold": "1000"}
UNPUBLISHED = sa.text("published_at IS NULL")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "polling_outbox",
        sa.Column("event_id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("task", sa.Text, nullable=False),
        sa.Column("task_id", sa.BigInteger, nullable=False),
        sa.Column("aggregate", sa.Text, nullable=False),
        sa.Column("aggregate_id", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.Column("claimed_until", sa.DateTime(timezone=True)),
        sa.Column("claim_no", sa.Integer, nullable=False, server_default="0"),
        sa.Column("published_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("event_id", name="pk_polling_outbox"),
        postgresql_with=VACUUM,
    )
    op.create_index("ix_polling_outbox_unpublished", "polling_outbox", ["event_id"], postgresql_where=UNPUBLISHED)
    op.create_index(
        "ix_polling_outbox_order",
        "polling_outbox",
        ["aggregate", "aggregate_id", "event_id"],
        postgresql_where=UNPUBLISHED,
    )
    op.create_table(
        "polling_delivery",
        sa.Column("event_id", sa.BigInteger, nullable=False),
        sa.Column("subscription", sa.Text, nullable=False),
        sa.Column("aggregate", sa.Text, nullable=False),
        sa.Column("aggregate_id", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.Column("claim_no", sa.Integer, nullable=False, server_default="0"),
        sa.Column("last_error", sa.Text),
        sa.PrimaryKeyConstraint("subscription", "event_id", name="pk_polling_delivery"),
        sa.ForeignKeyConstraint(
            ["event_id"], ["polling_outbox.event_id"], name="fk_polling_delivery_event_id", ondelete="CASCADE"
        ),
        postgresql_with=VACUUM,
    )
    op.create_index("ix_polling_delivery_due", "polling_delivery", ["next_attempt_at"])
    op.create_index(
        "ix_polling_delivery_order", "polling_delivery", ["subscription", "aggregate", "aggregate_id", "event_id"]
    )
    op.create_table(
        "polling_idempotency_key",
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("aggregate_id", sa.BigInteger, nullable=False),
        sa.Column("task_id", sa.BigInteger, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.PrimaryKeyConstraint("scope", "key", name="pk_polling_idempotency_key"),
        postgresql_with=VACUUM,
    )
    op.create_index("ix_polling_idempotency_key_created_at", "polling_idempotency_key", ["created_at"])
    op.create_table(
        "polling_pause",
        sa.Column("task", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.PrimaryKeyConstraint("task", name="pk_polling_pause"),
    )
    op.create_table(
        "polling_action",
        sa.Column("action_id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("task", sa.Text, nullable=False),
        sa.Column("filters", JSONB, nullable=False),
        sa.Column("task_ids", ARRAY(sa.BigInteger), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.PrimaryKeyConstraint("action_id", name="pk_polling_action"),
    )


def downgrade() -> None:
    """Drop the tables, with every event and key in them."""
    for table in (
        "polling_action",
        "polling_pause",
        "polling_idempotency_key",
        "polling_delivery",
        "polling_outbox",
    ):
        op.drop_table(table)
