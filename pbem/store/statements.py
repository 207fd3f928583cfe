"""The statements of the journal, in the order in which a commit writes them."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from pbem.store.engine import Statements
from pbem.store.tables import Base

INSERTS: dict[str, tuple[str, ...]] = {
    "game": (
        *("id", "rules", "scenario", "options", "mode", "status", "lang"),
        *("created_at", "steps", "answers", "events", "log_n", "log_hash", "data"),
    ),
    "secret": ("game_id", "root", "zroot"),
    "seat": ("game_id", "seat", "name", "address", "lang", "token_hash", "salt", "data"),
    "answer": ("game_id", "n", "key", "kind", "seat", "origin", "by", "data", "letter_id", "at"),
    "entry": ("game_id", "n", "kind", "at", "body", "prev", "hash"),
    "event": ("game_id", "n", "data", "known_to", "answer", "at"),
    "checkpoint": ("game_id", "answers", "events", "state", "moment", "at"),
    "standing": ("game_id", "seat", "n", "data", "text", "at"),
    "proof": ("game_id", "seat", "label", "step", "position", "data"),
    "dispatch": (
        *("game_id", "seat", "address", "kind", "message_id", "in_reply_to", "data", "raw"),
        *("status", "attempts", "next_at", "created_at", "error"),
    ),
    "act": ("game_id", "n", "at", "by", "kind", "data"),
    "letter": (
        *("source", "uidvalidity", "uid", "message_id", "digest", "received_at", "raw"),
        *("status", "game_id", "seat", "note", "filed"),
    ),
    "cursor": ("source", "uidvalidity", "uid", "mark"),
    "topic": ("board", "topic", "private", "game_id", "account", "first"),
}

CLAIMED = (
    *("id", "game_id", "seat", "address", "kind", "message_id", "in_reply_to", "data", "raw"),
    *("status", "attempts", "next_at", "created_at", "sent_at", "error"),
)
"""What a claim gives of each dispatch: everything."""

_SUFFIX = {
    "seat": "ON CONFLICT (game_id, seat) DO UPDATE SET name = excluded.name, address = excluded.address, "
    "lang = excluded.lang, token_hash = excluded.token_hash, salt = excluded.salt, data = excluded.data",
    "letter": "ON CONFLICT (message_id, digest) DO NOTHING RETURNING id",
    "cursor": "ON CONFLICT (source) DO UPDATE SET uidvalidity = excluded.uidvalidity, uid = excluded.uid, "
    "mark = excluded.mark",
    "topic": "ON CONFLICT (board, topic) DO UPDATE SET game_id = excluded.game_id, "
    "account = excluded.account, first = excluded.first",
    # Two checkpoints without an answer between them: the later one stands.
    "checkpoint": "ON CONFLICT (game_id, answers) DO UPDATE SET events = excluded.events, "
    "state = excluded.state, moment = excluded.moment, at = excluded.at",
    # A card dealt again after a rollback has the same proof.
    "proof": "ON CONFLICT (game_id, seat, label, step, position) DO NOTHING",
}

_DUE = (
    "SELECT id FROM dispatch WHERE next_at <= ? AND status IN ('waiting', 'deferred') "
    "ORDER BY next_at, id LIMIT ?"
)


def _claim(those: str) -> str:
    columns = ", ".join(CLAIMED)
    return f"UPDATE dispatch SET next_at = ?, attempts = attempts + 1 WHERE id {those} RETURNING {columns}"


_TEXT = {
    "lock": "SELECT answers, events, steps, log_n, log_hash, status, data, lang, next_at FROM game WHERE id = ?",
    "position": "UPDATE game SET answers = ?, events = ?, steps = ?, log_n = ?, log_hash = ?, status = ?, "
    "data = ?, lang = ?, next_at = ? WHERE id = ?",
    "told": "SELECT n, data, known_to FROM event WHERE game_id = ? AND n > ? AND n <= ? ORDER BY n",
    "proofs": "SELECT label, step, position, data FROM proof WHERE game_id = ? AND seat = ? AND step >= ? "
    "ORDER BY step, label, position",
    "games due": "SELECT id FROM game WHERE next_at IS NOT NULL AND next_at <= ? ORDER BY next_at, id LIMIT ?",
    "next game": "SELECT min(next_at) FROM game WHERE next_at IS NOT NULL",
    "pulse": "INSERT INTO pulse (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at",
    "pulse read": "SELECT at FROM pulse WHERE name = ?",
    "unsent": "SELECT min(created_at) FROM dispatch WHERE game_id = ? AND seat = ? "
    "AND status IN ('waiting', 'deferred')",
    "letter of ours": "SELECT data FROM dispatch WHERE message_id = ? AND game_id = ? AND seat = ?",
    "wrote": "SELECT 1 FROM dispatch WHERE message_id = ? AND address = ?",
    "addressee": "SELECT address FROM dispatch WHERE message_id = ?",
    "again": "UPDATE dispatch SET status = 'deferred', next_at = ?, error = ? "
    "WHERE message_id = ? AND status = 'sent' AND attempts < ?",
    "first letter": "SELECT message_id FROM dispatch WHERE game_id = ? AND seat = ? ORDER BY id LIMIT 1",
    "letters withdrawn": "UPDATE dispatch SET status = 'refused', error = ? "
    "WHERE game_id = ? AND seat = ? AND status IN ('waiting', 'deferred')",
    "letter known": "SELECT id, status FROM letter WHERE message_id = ? AND digest = ?",
    "letter done": "UPDATE letter SET status = ?, game_id = ?, seat = ?, note = ? WHERE id = ?",
    "attempt": "INSERT INTO attempt (source, digest, tries) VALUES (?, ?, 1) ON CONFLICT (source) DO UPDATE "
    "SET tries = CASE WHEN attempt.digest = excluded.digest THEN attempt.tries + 1 ELSE 1 END, "
    "digest = excluded.digest RETURNING tries",
    "survived": "DELETE FROM attempt WHERE source = ?",
    "aside": "SELECT id FROM letter WHERE status = 'refused' AND note IN ('fault', 'poison') "
    "ORDER BY id DESC LIMIT ?",
    "floor": "UPDATE dispatch SET floor = ? WHERE message_id = ?",
    "floor read": "SELECT floor FROM dispatch WHERE message_id = ?",
    "topic of account": "SELECT topic, private, first FROM topic WHERE board = ? AND game_id = ? AND account = ?",
    "whose topic": "SELECT game_id, account, private FROM topic WHERE board = ? AND topic = ?",
    "topics": "SELECT board, topic, private, game_id, account, first FROM topic WHERE game_id = ? "
    "ORDER BY board, topic",
    "index replaced": "UPDATE dispatch SET status = 'refused', error = 'replaced' "
    "WHERE game_id = ? AND kind = 'index' AND status IN ('waiting', 'deferred')",
    "standing gone": "DELETE FROM standing WHERE game_id = ? AND seat = ?",
    "acts": "SELECT coalesce(max(n), 0) FROM act WHERE game_id = ?",
    "answers back": "DELETE FROM answer WHERE game_id = ? AND n > ?",
    # Walks back over the events to be undone, and no further.
    "events left": "SELECT n FROM event WHERE game_id = ? AND answer <= ? ORDER BY n DESC LIMIT 1",
    "events back": "DELETE FROM event WHERE game_id = ? AND n > ?",
    "checkpoints back": "DELETE FROM checkpoint WHERE game_id = ? AND answers > ?",
    # A kept draw counts again; where a draw of that label counts already the row count tells.
    "draw": "INSERT INTO draw (game_id, label, step, answer, fate, data) SELECT ?, ?, ?, ?, ?, ? "
    "WHERE NOT EXISTS (SELECT 1 FROM draw WHERE game_id = ? AND label = ? AND fate = 'live') "
    "ON CONFLICT (game_id, label, step) DO UPDATE SET answer = excluded.answer, fate = 'live' "
    "WHERE draw.data = excluded.data",
    "draws back": "UPDATE draw SET fate = ? WHERE game_id = ? AND answer > ? AND fate = 'live'",
    "draws undone": "UPDATE draw SET fate = 'undone' WHERE game_id = ? AND fate = 'kept'",
    "draw by label": "SELECT data FROM draw WHERE game_id = ? AND label = ? AND fate = 'live'",
    "claim": _claim(f"IN ({_DUE})"),
    "hasten": "UPDATE dispatch SET next_at = ? WHERE status IN ('waiting', 'deferred') AND next_at > ?",
    "rendered": "UPDATE dispatch SET raw = ? WHERE id = ? AND status IN ('waiting', 'deferred')",
    "sent": "UPDATE dispatch SET status = 'sent', sent_at = ?, error = '', raw = NULL "
    "WHERE id = ? AND status <> 'sent'",
    "sent by name": "UPDATE dispatch SET status = 'sent', sent_at = ?, error = '', raw = NULL "
    "WHERE message_id = ? AND status IN ('waiting', 'deferred')",
    "sent, raw kept": "UPDATE dispatch SET status = 'sent', sent_at = ?, error = '' "
    "WHERE id = ? AND status <> 'sent'",
    "deferred": "UPDATE dispatch SET status = 'deferred', next_at = ?, error = ? "
    "WHERE id = ? AND status <> 'sent'",
    "refused": "UPDATE dispatch SET status = 'refused', error = ? WHERE id = ? AND status <> 'sent'",
}


def statements(engine: Engine) -> Statements:
    """All of them, for that database."""
    made = Statements(engine)
    for name, columns in INSERTS.items():
        made.insert(name, _table(name), columns, _SUFFIX.get(name, ""))
    for name, sql in _TEXT.items():
        made.text(name, sql)
    if not made.sqlite:
        made.text("lock", _TEXT["lock"] + " FOR UPDATE")
        made.text("claim", _claim(f"= ANY (ARRAY({_DUE} FOR UPDATE SKIP LOCKED))"))
        made.text("sent", _TEXT["sent"].replace("id = ?", "id = ANY (?)"))
        made.text("sent, raw kept", _TEXT["sent, raw kept"].replace("id = ?", "id = ANY (?)"))
        known = _TEXT["letter known"].replace("SELECT id, status", "SELECT id, FALSE, status")
        inserted = f"WITH put AS ({made['letter']}) SELECT id, TRUE, 'new' FROM put"
        made.text("letter or known", f"{inserted} UNION ALL {known}")
    return made


def _table(name: str) -> sa.Table:
    return Base.metadata.tables[name]
