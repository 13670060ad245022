"""backfill status of exports"""
import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("export_task", sa.Column("status", sa.String(20), server_default="PENDING", nullable=False))
    op.add_column("export_task", sa.Column("retry_count", sa.Integer(), server_default="0", nullable=False))
    bind = op.get_bind()
    rows = bind.execute(sa.text("SELECT id FROM export_task WHERE status = 'PENDING' LIMIT 1000")).all()
    for row in rows:
        bind.execute(sa.text("UPDATE export_task SET retry_count = 0 WHERE id = :id"), {"id": row.id})
    op.create_index("ix_export_task_due", "export_task", ["status", "created_at"])


def downgrade() -> None:
    op.drop_index("ix_export_task_due", table_name="export_task")
    op.drop_column("export_task", "retry_count")
    op.drop_column("export_task", "status")
