"""Is a letter from where it says? The word of a mail server that we trust, or else its signature (MAIL 4)."""

from __future__ import annotations

import hashlib
from collections import OrderedDict

import msgspec

from pbem.letters.authentication import Verdict, judge
from pbem.letters.letter import Letter, Trouble
from pbem.letters.reading import read_head
from pbem.post.dkim import Verifier

_REMEMBERED = 100


class AuthenticationSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked of a letter besides address and token."""

    authserv_id: str = ""
    """The name in the Authentication-Results of the server that receives our mail; empty: it adds none."""
    dkim: bool = False
    """Verify signatures ourselves where the server says nothing."""
    strict: bool = False
    """Hold letters about which nobody can say anything, too."""


class Authenticity:
    """Tells which letters are doubtful."""

    def __init__(self, settings: AuthenticationSettings, verifier: Verifier | None = None) -> None:
        self._settings = settings
        self._verifier = verifier or (Verifier() if settings.dkim else None)
        self._known: OrderedDict[str, Verdict] = OrderedDict()

    def prepare(self, raw: bytes) -> None:
        """Ask ahead, where asking takes a while: signatures need the DNS."""
        if self._verifier is not None:
            self._known[_name(raw)] = self.verdict(raw, read_head(raw, Trouble("no-text"), own_address=""))
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)

    def verdict(self, raw: bytes, letter: Letter) -> Verdict:
        """What is known about a letter's origin."""
        verdict: Verdict | None = None
        if self._settings.authserv_id:
            verdict = judge(letter.authentication_results, self._settings.authserv_id, letter.sender)
        if verdict in (None, Verdict.NONE) and self._verifier is not None:
            verdict = self._verifier.judge(raw, letter.sender)
        return verdict or Verdict.NONE

    def doubtful(self, raw: bytes, letter: Letter) -> bool:
        """Whether a letter with the right address and token must be held all the same."""
        verdict = self._known.pop(_name(raw), None) or self.verdict(raw, letter)
        return verdict is Verdict.FAIL or (self._settings.strict and verdict is not Verdict.PASS)


def _name(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
