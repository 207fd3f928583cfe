"""Without the mail servers' programs their half of the suite is skipped, but never silently in CI."""

from __future__ import annotations

import pytest

from tests.servers import mail
from tests.servers.__main__ import ACCOUNTS, settings_text


def test_missing_programs_are_skipped_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "missing", lambda: "Dovecot is not installed")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="not installed"), mail.servers(ACCOUNTS):
        pass


def test_missing_programs_fail_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "missing", lambda: "Dovecot is not installed")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="not installed"), mail.servers(ACCOUNTS):
        pass


def test_a_developer_gets_settings_to_paste(tmp_path: pytest.TempPathFactory) -> None:
    post = mail.RealPost(tmp_path, ACCOUNTS)  # type: ignore[arg-type]
    text = settings_text(post, "moderator@pbem.example")
    assert f"port = {post.dovecot.imap}" in text
    assert f"port = {post.postfix.submission}" in text
