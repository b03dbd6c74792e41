"""A database as migrations leave it, made once and kept from run to run: each test process starts with a copy.

It is kept in pytest's cache, named after a digest of the migrations, the modules that they import and the installed
packages. `pytest --cache-clear` removes it.
"""

import ast
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from tests.packages import PACKAGES, ROOT
from tests.plugins.clusters import Cluster

KEPT = ROOT / ".pytest_cache" / "d" / "migrated"
TEMPLATE = "migrated"


def sqlite() -> Path:
    """A file to copy."""
    return _kept("sqlite", lambda path: _migrate(f"sqlite:///{path}"))


def cluster(programs: Path, *, settings: Sequence[str] = ()) -> Cluster:
    """A running cluster whose database TEMPLATE is to be copied."""
    version = subprocess.run([programs / "postgres", "--version"], capture_output=True, check=True, text=True).stdout

    def make(archive: Path) -> None:
        new = Cluster(programs)
        try:
            with new.connect() as connection:
                connection.execute(f"CREATE DATABASE {TEMPLATE}")
            _migrate(new.url.replace("/postgres", f"/{TEMPLATE}"), DATABASE_SOCKET=str(new.socket))
            new.pack(archive)
        finally:
            new.stop()

    return Cluster(programs, settings=settings, archive=_kept("postgresql", make, version))


def digest(root: Path, *more: str) -> str:
    """Of all that a migrated database depends on: another value when any of it has changed, but comments."""
    installed = sorted(path.name for path in Path(sysconfig.get_path("purelib")).glob("*.dist-info"))
    hashed = sha256(repr((more, installed)).encode())
    for path in sorted(set(_sources(root))):
        hashed.update(f"{path.relative_to(root)} {_code(path)}".encode())
    return hashed.hexdigest()[:16]


def _code(path: Path) -> str:
    """The module without comments and docstrings."""
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [each for each in node.body if not _is_text(each)]
    return ast.dump(tree)


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _kept(kind: str, make: Callable[[Path], None], *more: str) -> Path:
    path = KEPT / f"{kind}-{digest(ROOT, *more)}"
    if not path.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=KEPT) as directory:
            made = Path(directory) / kind
            make(made)
            for outdated in KEPT.glob(f"{kind}-*"):
                outdated.unlink(missing_ok=True)
            made.replace(path)
    return path


def _migrate(url: str, **environment: str) -> None:
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": url, **environment},
        check=True,
    )


def _sources(root: Path) -> Iterator[Path]:
    """Every migration, and the modules and packages of ours that migrations import."""
    for migration in (path for package in PACKAGES for path in root.glob(f"{package}/**/migrations/*.py")):
        yield migration
        for name in _imported(ast.parse(migration.read_text())):
            imported = root.joinpath(*name.split("."))
            yield from [*imported.glob("**/*.py"), *imported.parent.glob(f"{imported.name}.py")]


def _imported(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
