"""Puts the verifier and the page together anew, beside this file."""

from pbem.dice.verifier import PAGE, PROGRAM, program, web_page

PROGRAM.write_text(program(), encoding="utf-8")
PAGE.write_text(web_page(), encoding="utf-8")
