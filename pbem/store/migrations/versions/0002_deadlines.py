"""Deadlines"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the tables forward."""
    op.create_table(
        "pulse",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_pulse")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.add_column(sa.Column("next_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.create_index(
            "ix_game_next_at",
            ["next_at"],
            unique=False,
            sqlite_where=sa.text("next_at IS NOT NULL"),
            postgresql_where=sa.text("next_at IS NOT NULL"),
        )
    with op.batch_alter_table("answer", schema=None) as batch_op:
        batch_op.add_column(sa.Column("kind", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Take the tables back."""
    with op.batch_alter_table("answer", schema=None) as batch_op:
        batch_op.drop_column("kind")

    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_game_next_at",
            sqlite_where=sa.text("next_at IS NOT NULL"),
            postgresql_where=sa.text("next_at IS NOT NULL"),
        )
        batch_op.drop_column("next_at")

    op.drop_table("pulse")
