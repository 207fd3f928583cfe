"""A token service as mail providers run one: it renews access tokens, and tells servers whose a token is."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

from pbem.post.oauth import Mechanism, OAuth
from tests.servers.local import HOST


class TokenService:
    """Refresh tokens by account; every access token ever given, with its account while it is good."""

    def __init__(self, port: int) -> None:
        self.url = f"http://{HOST}:{port}"
        self.refresh_tokens: dict[str, str] = {}
        self.good: dict[str, str] = {}
        self.given = 0
        self.lifetime = 3600
        self.rotate = False

    def settings(self, account: str, mechanism: Mechanism = Mechanism.XOAUTH2) -> OAuth:
        """How an account's tokens are had; its consent is given anew."""
        self.refresh_tokens[f"consent-{account}"] = account
        return OAuth(
            token_url=f"{self.url}/token",
            client_id="pbem",
            client_secret="quiet",
            refresh_token=f"consent-{account}",
            mechanism=mechanism,
        )

    def renew(self, form: dict[str, str]) -> tuple[int, dict[str, object]]:
        """The answer to a refresh token."""
        account = self.refresh_tokens.get(form.get("refresh_token", ""))
        if form.get("client_secret") != "quiet":
            return 401, {"error": "invalid_client"}
        if account is None:
            return 400, {"error": "invalid_grant"}
        self.given += 1
        token = f"access-{self.given}"
        self.good[token] = account
        answer: dict[str, object] = {"access_token": token, "expires_in": self.lifetime}
        if self.rotate:
            answer["refresh_token"] = f"rotated-{self.given}"
            self.refresh_tokens[f"rotated-{self.given}"] = account
        return 200, answer

    def introspect(self, form: dict[str, str]) -> dict[str, object]:
        """Whose an access token is."""
        account = self.good.get(form.get("token", ""))
        return {"active": "true", "username": account} if account else {"active": "false"}


@contextmanager
def token_service() -> Iterator[TokenService]:
    """A running token service."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            form = {name: values[0] for name, values in parse_qs(data).items()}
            if self.path == "/token":
                status, answer = service.renew(form)
            else:
                status, answer = 200, service.introspect(form)
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer((HOST, 0), Handler)
    service = TokenService(server.server_port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
