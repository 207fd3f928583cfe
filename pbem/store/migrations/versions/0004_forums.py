"""Forums"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the tables forward."""
    op.create_table(
        "topic",
        sa.Column("board", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("first", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_topic_game_id")),
        sa.PrimaryKeyConstraint("board", "topic", name=op.f("pk_topic")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_topic_game_id_account"), "topic", ["game_id", "account"], unique=False)
    with op.batch_alter_table("cursor", schema=None) as batch_op:
        batch_op.add_column(sa.Column("mark", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("dispatch", schema=None) as batch_op:
        batch_op.add_column(sa.Column("floor", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """Take the tables back."""
    with op.batch_alter_table("dispatch", schema=None) as batch_op:
        batch_op.drop_column("floor")
    with op.batch_alter_table("cursor", schema=None) as batch_op:
        batch_op.drop_column("mark")
    op.drop_index(op.f("ix_topic_game_id_account"), table_name="topic")
    op.drop_table("topic")
