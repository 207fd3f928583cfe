"""The stand-alone verifier as a file, put together once for this process."""

import atexit
import shutil
import tempfile
from pathlib import Path

from pbem.dice.audit.verifier import write

_FOLDER = Path(tempfile.mkdtemp(prefix="pbem-verifier-"))
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)

PROGRAM = write(_FOLDER)[0]
