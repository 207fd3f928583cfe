"""The order form survives what mail programs do to it."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.letters.forms import form_digest, write_form
from pbem.letters.quoting import clean
from pbem.letters.text import plain

WORDS = st.text(
    st.characters(codec="utf-8", categories=["L", "N"], include_characters="->:,'"), min_size=1, max_size=12
)
LINES = st.lists(st.lists(WORDS, min_size=1, max_size=30).map(" ".join), max_size=12)


def test_written_form() -> None:
    block = write_form("leipzig-7", "t3/actions", ["1: draw pile", "2: "])
    digest = form_digest(["1: draw pile", "2:"])
    assert block == [f"[[orders leipzig-7 t3/actions #{digest}]]", "1: draw pile", "2:", "[[end]]"]
    assert write_form("g", "k", [], "fr")[0].startswith("[[ordres g k #")
    assert write_form("g", "k", [], "fr")[-1] == "[[fin]]"


def test_digest_ignores_spaces_and_quote_marks_only() -> None:
    assert form_digest(["1: draw pile"]) == form_digest([">  1:draw", "> > pile "])
    assert form_digest(["1: draw pile"]) != form_digest(["1: draw piles"])
    assert form_digest(["a", "b"]) == form_digest(["ab"])
    assert len(form_digest([])) == 8


@pytest.mark.parametrize("bad", ["", "a b", "x]]", "a#b", "a>b", "a\nb"])
def test_names_that_would_not_survive_are_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="not usable"):
        write_form(bad, "k", [])
    with pytest.raises(ValueError, match="not usable"):
        write_form("g", bad, [])


def test_marker_inside_a_line_is_refused() -> None:
    with pytest.raises(ValueError, match="marker"):
        write_form("g", "k", ["1: [[end]]"])


@given(lines=LINES, depth=st.integers(0, 4), width=st.integers(72, 90), lang=st.sampled_from(["en", "fr"]))
def test_quoted_and_wrapped_form_is_not_edited(lines: list[str], depth: int, width: int, lang: str) -> None:
    mark = ">" * depth + " " if depth else ""
    wrapped: list[str] = []
    for line in write_form("leipzig-7", "t3/actions", lines, lang):
        wrapped += textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
    text = "\n".join(["hello", "", *(mark + line for line in wrapped), "", "bye"])
    got = clean(plain(text))
    assert len(got.forms) == 1
    assert not got.forms[0].edited
    assert got.forms[0].closed
    assert got.lines == ("hello", "", "bye")


@given(lines=LINES)
def test_long_labelled_lines_are_put_together_again(lines: list[str]) -> None:
    numbered = [
        f"{number}: {line}" for number, line in enumerate(lines, 1) if not {":", ">", "|"} & set(line)
    ]
    wrapped: list[str] = []
    for line in write_form("g", "k", numbered):
        wrapped += textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False)
    (form,) = clean(plain("\n".join(f"> {line}" for line in wrapped))).forms
    assert list(form.lines) == [plain(line).strip() for line in numbered]


def test_added_word_is_an_edit() -> None:
    block = write_form("g", "k", ["1: draw pile", "2:"])
    block[2] = "2: pass"
    (form,) = clean("\n".join(block)).forms
    assert form.edited
    assert form.lines == ("1: draw pile", "2: pass")


def test_form_without_its_digest_counts_as_edited() -> None:
    (form,) = clean("[[orders g k]]\n1: pass\n[[end]]").forms
    assert form.edited


def test_same_question_twice_at_one_depth_the_first_counts() -> None:
    text = "[[orders g k #00000000]]\n1: one\n[[end]]\n[[orders g k #00000000]]\n1: two\n[[end]]"
    assert [form.lines for form in clean(text).forms] == [("1: one",)]


def test_second_marker_closes_a_form_that_lost_its_end() -> None:
    forms = clean("[[orders g k #00000000]]\n1: one\n[[orders g j #00000000]]\n1: two\n[[end]]").forms
    assert [(form.key, form.closed) for form in forms] == [("k", False), ("j", True)]
