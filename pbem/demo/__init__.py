"""The demo: a whole game by real letters on this machine, and a folder to look at afterwards."""

from pbem.demo.play import run

__all__ = ["run"]
