"""The first tables"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the tables forward."""
    op.create_table(
        "cursor",
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("source", name=op.f("pk_cursor")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "game",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("scenario", sa.String(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("lang", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("log_n", sa.Integer(), nullable=False),
        sa.Column("log_hash", sa.String(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
    )
    op.create_table(
        "act",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_act_game_id")),
        sa.PrimaryKeyConstraint("game_id", "n", name=op.f("pk_act")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "checkpoint",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.Column("moment", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_checkpoint_game_id")),
        sa.PrimaryKeyConstraint("game_id", "answers", name=op.f("pk_checkpoint")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "dispatch",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=True),
        sa.Column("seat", sa.String(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("in_reply_to", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_dispatch_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dispatch")),
        sa.UniqueConstraint("message_id", name=op.f("uq_dispatch_message_id")),
    )
    with op.batch_alter_table("dispatch", schema=None) as batch_op:
        batch_op.create_index(
            "ix_dispatch_due",
            ["next_at", "id"],
            unique=False,
            sqlite_where=sa.text("status IN ('waiting', 'deferred')"),
            postgresql_where=sa.text("status IN ('waiting', 'deferred')"),
        )
        batch_op.create_index("ix_dispatch_game_id", ["game_id"], unique=False)

    op.create_table(
        "draw",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("answer", sa.Integer(), nullable=False),
        sa.Column("fate", sa.String(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_draw_game_id")),
        sa.PrimaryKeyConstraint("game_id", "label", "step", name=op.f("pk_draw")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("draw", schema=None) as batch_op:
        batch_op.create_index("ix_draw_game_id_answer", ["game_id", "answer"], unique=False)
        batch_op.create_index(
            "ix_draw_kept",
            ["game_id"],
            unique=False,
            sqlite_where=sa.text("fate = 'kept'"),
            postgresql_where=sa.text("fate = 'kept'"),
        )

    op.create_table(
        "entry",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("prev", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_entry_game_id")),
        sa.PrimaryKeyConstraint("game_id", "n", name=op.f("pk_entry")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "event",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("known_to", sa.Text(), nullable=True),
        sa.Column("answer", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_event_game_id")),
        sa.PrimaryKeyConstraint("game_id", "n", name=op.f("pk_event")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=True),
        sa.Column("uid", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=True),
        sa.Column("seat", sa.String(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_letter_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letter")),
        sa.UniqueConstraint("message_id", "digest", name=op.f("uq_letter_message_id_digest")),
    )
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.create_index("ix_letter_status_game_id", ["status", "game_id"], unique=False)

    op.create_table(
        "proof",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_proof_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", "label", "step", "position", name=op.f("pk_proof")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seat",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("lang", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=True),
        sa.Column("salt", sa.String(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_seat_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seat")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_seat_token_hash")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_address"), ["address"], unique=False)

    op.create_table(
        "secret",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column("zroot", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_secret_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_secret")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "standing",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_standing_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", "n", name=op.f("pk_standing")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "answer",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_answer_game_id")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_answer_letter_id")),
        sa.PrimaryKeyConstraint("game_id", "n", name=op.f("pk_answer")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Take the tables back."""
    op.drop_table("answer")
    op.drop_table("standing")
    op.drop_table("secret")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_address"))

    op.drop_table("seat")
    op.drop_table("proof")
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_index("ix_letter_status_game_id")

    op.drop_table("letter")
    op.drop_table("event")
    op.drop_table("entry")
    with op.batch_alter_table("draw", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_draw_kept", sqlite_where=sa.text("fate = 'kept'"), postgresql_where=sa.text("fate = 'kept'")
        )
        batch_op.drop_index("ix_draw_game_id_answer")

    op.drop_table("draw")
    with op.batch_alter_table("dispatch", schema=None) as batch_op:
        batch_op.drop_index("ix_dispatch_game_id")
        batch_op.drop_index(
            "ix_dispatch_due",
            sqlite_where=sa.text("status IN ('waiting', 'deferred')"),
            postgresql_where=sa.text("status IN ('waiting', 'deferred')"),
        )

    op.drop_table("dispatch")
    op.drop_table("checkpoint")
    op.drop_table("act")
    op.drop_table("game")
    op.drop_table("cursor")
