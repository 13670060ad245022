"""mail_task: due and tries"""
import sqlalchemy as sa
from alembic import op

revision = "20240611"
down_revision = "20240502"
BATCH = 500


def upgrade() -> None:
    op.add_column("mail_task", sa.Column("due", sa.DateTime(), server_default=sa.func.now()))
    op.add_column("mail_task", sa.Column("tries", sa.Integer(), server_default="0"))
    mails = sa.table("mail_task", sa.column("id", sa.Integer), sa.column("status", sa.String), sa.column("tries", sa.Integer))
    connection = op.get_bind()
    ids = connection.execute(sa.select(mails.c.id).where(mails.c.status == "new").limit(BATCH)).scalars().all()
    connection.execute(sa.update(mails).where(mails.c.id.in_(ids)).values(tries=mails.c.tries + 1))


def downgrade() -> None:
    op.drop_column("mail_task", "tries")
    op.drop_column("mail_task", "due")
