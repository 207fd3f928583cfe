"""A Misago of our own: a real forum on a free loopback port, its database restored from a migrated template."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers import boards, local, postgres

PASSWORD = "Str0ng-passw0rd!"
ROBOT = "pbem"
PEOPLE = ("alice", "bob", "carol", "dora")
QUICK = (ROBOT, "alice", "bob")
"""Who may post as fast as he likes."""
MODERATOR = "warden"
_TEMPLATE = "misago-0.39.6-3.dump"

_SETTINGS = """
from devproject.settings import *
DATABASES["default"].update(NAME="misago", USER="pbem", PASSWORD="", HOST="127.0.0.1", PORT="{port}")
CELERY_TASK_ALWAYS_EAGER = True
CELERY_BROKER_URL = "memory://"
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
STATIC_ROOT = "{folder}/static"
MEDIA_ROOT = "{folder}/media"
DEBUG = False
INTERNAL_IPS = []
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ROOT_URLCONF = "pbem_urls"
LOGGING = {{"version": 1, "disable_existing_loggers": True}}
"""
_URLS = """
from django.conf import settings
from django.urls import re_path
from django.views.static import serve
from devproject.urls import *
urlpatterns += [
    re_path(r"^media/(?P<path>.*)$", serve, {"document_root": settings.MEDIA_ROOT}),
    re_path(r"^static/(?P<path>.*)$", serve, {"document_root": settings.STATIC_ROOT}),
]
"""
_PEOPLE = """
import django
django.setup()
from django.contrib.auth import get_user_model
from misago.acl.models import Role
from misago.cache.versions import get_cache_versions
from misago.conf.dynamicsettings import DynamicSettings
from misago.users.setupnewuser import setup_new_user
User = get_user_model()
settings = DynamicSettings(get_cache_versions())
for name in {people!r}:
    user = User.objects.create_user(name, name + "@forum.test", {password!r})
    setup_new_user(settings, user)
role = Role.objects.create(name="Robots", permissions={{"misago.threads.permissions.threads": {{}}}})
role.permissions = {{"misago.threads.permissions.threads": {{"can_omit_flood_protection": True}}}}
role.save()
for name in {quick!r}:
    user = User.objects.get(username=name)
    user.roles.add(role)
    user.update_acl_key()
    user.save()
warden = User.objects.create_superuser({warden!r}, "warden@forum.test", {password!r})
setup_new_user(settings, warden)
from misago.cache.versions import invalidate_all_caches
invalidate_all_caches()
"""


class Misago:
    """A running Misago."""

    def __init__(self, url: str, process: subprocess.Popen[bytes], database: str) -> None:
        self.url = url
        self.process = process
        self.database = database
        """The PostgreSQL URL of its database."""


@contextmanager
def server() -> Iterator[Misago]:
    """A forum with some members, and an account for us that may post as fast as it likes."""
    interpreter = boards.python("misago")
    folder = Path(tempfile.mkdtemp(prefix="pbem-misago-"))
    try:
        with postgres.server() as base:
            pg = base.rpartition("@")[2].strip("/").rpartition(":")[2]
            _database(interpreter, folder, pg)
            port = local.free_ports(1)[0]
            process = subprocess.Popen(
                [interpreter, "-m", "django", "runserver", "--noreload", "--insecure", f"127.0.0.1:{port}"],
                cwd=folder,
                env=_environment(interpreter, folder),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=(folder / "log").open("wb"),
            )
            try:
                local.until(lambda: local.listens(port) or process.poll() is not None, "Misago starts", 90)
                if process.poll() is not None:
                    raise RuntimeError(f"Misago does not start: {(folder / 'log').read_text()[-2000:]}")
                yield Misago(f"http://127.0.0.1:{port}", process, f"{base}misago")
            finally:
                process.terminate()
                try:
                    process.wait(5)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _database(interpreter: Path, folder: Path, port: str) -> None:
    """The migrated database: restored, or made and kept for the next time."""
    (folder / "pbem_settings.py").write_text(_SETTINGS.format(port=port, folder=folder))
    (folder / "pbem_urls.py").write_text(_URLS)
    programs = postgres.require()
    where = ["-h", "127.0.0.1", "-p", port, "-U", "pbem"]
    _run([programs / "createdb", *where, "misago"], folder)
    template, static = boards.folder() / _TEMPLATE, boards.folder() / "misago-static"
    environment = _environment(interpreter, folder)
    with boards.alone("misago-template"):
        if template.exists():
            _run([programs / "pg_restore", *where, "-d", "misago", "-j", "2", template], folder)
        else:
            _run([interpreter, "-m", "django", "migrate", "-v", "0"], folder, environment)
            people = _PEOPLE.format(people=(ROBOT, *PEOPLE), password=PASSWORD, quick=QUICK, warden=MODERATOR)
            (folder / "people.py").write_text(people)
            _run([interpreter, "people.py"], folder, environment)
            made = template.with_suffix(".part")
            _run([programs / "pg_dump", *where, "-Fc", "-f", made, "misago"], folder)
            made.replace(template)
        if not static.exists():
            _run([interpreter, "-m", "django", "collectstatic", "--noinput", "-v", "0"], folder, environment)
            shutil.copytree(folder / "static", static)
    if not (folder / "static").exists():
        (folder / "static").symlink_to(static)


def _environment(interpreter: Path, folder: Path) -> dict[str, str]:
    return {
        "PATH": f"{interpreter.parent}:{os.environ.get('PATH', '')}",
        "HOME": str(folder),
        "DJANGO_SETTINGS_MODULE": "pbem_settings",
        "PYTHONPATH": str(folder),
        "LC_ALL": "C.UTF-8",
    }


def _run(command: list[object], folder: Path, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} {command[1:3]}: {done.stderr.decode()[-3000:]}")
