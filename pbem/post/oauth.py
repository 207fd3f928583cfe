"""OAuth2 for mail: an access token from a refresh token, renewed before it runs out (RFC 6749, 6)."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

import msgspec

_EARLY = 60.0
_LARGEST_ANSWER = 100_000


class Mechanism(StrEnum):
    """How the token is shown to the mail server."""

    XOAUTH2 = "xoauth2"
    OAUTHBEARER = "oauthbearer"


class OAuthTrouble(Exception):
    """No access token can be had. `permanent`: consent has to be given anew."""

    def __init__(self, reason: str, permanent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.permanent = permanent


class OAuth(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A provider's token service and our registration with it."""

    token_url: str
    client_id: str
    client_secret: str = ""
    refresh_token: str = ""
    refresh_token_file: str = ""
    """Where the refresh token stands; a new one that the provider sends along is put there."""
    scope: str = ""
    mechanism: Mechanism = Mechanism.XOAUTH2

    def __repr__(self) -> str:
        return f"OAuth({self.client_id} at {self.token_url})"


class TokenSource:
    """Access tokens for one account, shared by letters in and letters out."""

    def __init__(
        self, settings: OAuth, timeout: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._timeout = timeout
        self._clock = clock
        self._refresh = settings.refresh_token
        self._access = ""
        self._until = 0.0
        self._lock = threading.Lock()

    def token(self) -> str:
        """An access token that is good for now. Blocks; raises OAuthTrouble."""
        with self._lock:
            if not self._access or self._clock() >= self._until:
                self._renew()
            return self._access

    def forget(self) -> None:
        """The server refused the token: the next one is a new one."""
        with self._lock:
            self._access = ""

    def _renew(self) -> None:
        settings = self._settings
        self._refresh = self._stored() or self._refresh
        form = {
            "grant_type": "refresh_token",
            "client_id": settings.client_id,
            "refresh_token": self._refresh,
        }
        if settings.client_secret:
            form["client_secret"] = settings.client_secret
        if settings.scope:
            form["scope"] = settings.scope
        answer = self._ask(urllib.parse.urlencode(form).encode())
        access, lifetime = answer.get("access_token"), answer.get("expires_in", 3600)
        if not isinstance(access, str) or not access:
            raise OAuthTrouble(f"{_host(settings)} sent no access token")
        self._access = access
        seconds = float(lifetime) if isinstance(lifetime, int | float) else 3600.0
        self._until = self._clock() + max(seconds - _EARLY, seconds / 2)
        newer = answer.get("refresh_token")
        if isinstance(newer, str) and newer and newer != self._refresh:
            self._refresh = newer
            self._keep(newer)

    def _ask(self, form: bytes) -> dict[str, object]:
        settings = self._settings
        request = urllib.request.Request(settings.token_url, form, {"Accept": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                answer = json.loads(response.read(_LARGEST_ANSWER))
        except urllib.error.HTTPError as error:
            code = _error_code(error)
            refused = code in ("invalid_grant", "invalid_client", "unauthorized_client")
            remedy = ": give consent anew and store the new refresh token" if code == "invalid_grant" else ""
            raise OAuthTrouble(
                f"{_host(settings)} refused to renew the token ({code}){remedy}", refused
            ) from None
        except (OSError, ValueError) as error:
            raise OAuthTrouble(f"{_host(settings)} cannot be asked for a token: {error}") from error
        if not isinstance(answer, dict):
            raise OAuthTrouble(f"{_host(settings)} sent no access token")
        return answer

    def _stored(self) -> str:
        """The refresh token in its file: letters in and letters out share it, and either may have put a new one."""
        if not self._settings.refresh_token_file:
            return ""
        with contextlib.suppress(OSError, UnicodeDecodeError):
            return Path(self._settings.refresh_token_file).read_text(encoding="utf-8").strip()
        return ""

    def _keep(self, refresh_token: str) -> None:
        if not self._settings.refresh_token_file:
            return
        path = Path(self._settings.refresh_token_file)
        new = path.with_name(path.name + ".new")
        with contextlib.suppress(OSError):
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(descriptor, "w", encoding="utf-8") as file:
                file.write(refresh_token + "\n")
            new.replace(path)


def _host(settings: OAuth) -> str:
    return urllib.parse.urlsplit(settings.token_url).netloc


def _error_code(error: urllib.error.HTTPError) -> str:
    try:
        answer = json.loads(error.read(_LARGEST_ANSWER))
        code = answer.get("error") if isinstance(answer, dict) else None
    except (OSError, ValueError):
        code = None
    return code if isinstance(code, str) else f"HTTP {error.code}"
