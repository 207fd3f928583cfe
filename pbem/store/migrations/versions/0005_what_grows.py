"""What grows"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_GOING_ON = sa.text("status <> 'over'")
_OPEN = sa.text("status IN ('waiting', 'deferred')")
_ASIDE = sa.text("status = 'refused' AND note IN ('fault', 'poison')")


def upgrade() -> None:
    """Bring the tables forward."""
    for name, table, columns, part in (
        ("ix_game_going_on", "game", ["status", "created_at"], _GOING_ON),
        ("ix_dispatch_address", "dispatch", ["address", "created_at"], None),
        ("ix_dispatch_unsent", "dispatch", ["game_id", "seat", "created_at"], _OPEN),
        ("ix_letter_aside", "letter", ["id"], _ASIDE),
    ):
        op.create_index(name, table, columns, unique=False, sqlite_where=part, postgresql_where=part)


def downgrade() -> None:
    """Take the tables back."""
    op.drop_index("ix_letter_aside", table_name="letter")
    op.drop_index("ix_dispatch_unsent", table_name="dispatch")
    op.drop_index("ix_dispatch_address", table_name="dispatch")
    op.drop_index("ix_game_going_on", table_name="game")
