"""Connection parameters: nothing secret leaks, nothing goes in the clear."""

from datetime import timedelta

import pytest

from pbem.post.backoff import backoff
from pbem.post.settings import ImapSettings, Security, SettingsError, SmtpSettings, is_loopback


def test_password_is_not_shown() -> None:
    for settings in (
        ImapSettings(host="mail.example", username="m", password="hunter2"),
        SmtpSettings(host="mail.example", username="m", password="hunter2"),
    ):
        assert "hunter2" not in repr(settings)
        assert "mail.example" in repr(settings)


def test_plain_is_for_loopback_only() -> None:
    with pytest.raises(SettingsError, match="in the clear"):
        ImapSettings(host="mail.example", security=Security.PLAIN).check()
    ImapSettings(host="127.0.0.1", security=Security.PLAIN).check()
    ImapSettings(host="mail.example").check()


@pytest.mark.parametrize(("port", "timeout"), [(0, 30.0), (70000, 30.0), (993, 0.0)])
def test_impossible_parameters(port: int, timeout: float) -> None:
    with pytest.raises(SettingsError):
        ImapSettings(host="mail.example", port=port, timeout=timeout).check()


def test_missing_certificate_file_is_named() -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.pem"):
        SmtpSettings(host="mail.example", ca_file="nowhere.pem").tls_context()


def test_loopback() -> None:
    assert [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "10.0.0.1", "mail.example")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_backoff_doubles_up_to_the_cap() -> None:
    minutes = [backoff(attempt) / timedelta(minutes=1) for attempt in range(1, 12)]
    assert minutes == [1, 2, 4, 8, 16, 32, 64, 128, 240, 240, 240]
    assert backoff(10_000) == timedelta(hours=4)
    assert backoff(0) == backoff(-3) == timedelta(minutes=1)


def test_backoff_jitter_is_the_callers_and_bounded() -> None:
    assert backoff(1, jitter=1.0) == timedelta(seconds=75)
    assert backoff(1, jitter=9.0) == timedelta(seconds=75)
    assert backoff(99, jitter=1.0) == timedelta(hours=4)
