"""Letters that kill"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the tables forward."""
    op.create_table(
        "attempt",
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("source", name=op.f("pk_attempt")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.add_column(sa.Column("tries", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("filed", sa.Boolean(), nullable=False, server_default=sa.true()))
        batch_op.create_index(
            "ix_letter_unfiled",
            ["source"],
            unique=False,
            sqlite_where=sa.text("NOT filed"),
            postgresql_where=sa.text("NOT filed"),
        )


def downgrade() -> None:
    """Take the tables back."""
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_letter_unfiled",
            sqlite_where=sa.text("NOT filed"),
            postgresql_where=sa.text("NOT filed"),
        )
        batch_op.drop_column("filed")
        batch_op.drop_column("tries")

    op.drop_table("attempt")
