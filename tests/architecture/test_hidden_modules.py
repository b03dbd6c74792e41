"""No package hides a module of its own behind another thing of the same name.

`from catalog.admin.screens import products` in `catalog/admin/__init__.py` binds the name `products` there. If
`catalog/admin/products/` exists, too, then which of the two `catalog.admin.products` is depends on what was imported
last.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packages import ROOT, sources

pytestmark = pytest.mark.once


def hidden(package: Path, root: Path) -> list[str]:
    """The modules in the package's folder whose name its `__init__` gives to something else."""
    modules = {path.stem for path in package.iterdir() if path.suffix == ".py" or any(path.glob("*.py"))}
    dotted = ".".join(package.relative_to(root).parts)
    tree = ast.parse((package / "__init__.py").read_text())
    return sorted({name for statement in _executed(tree) for name in _others(statement, dotted)} & modules)


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """What is executed when the module is imported: not the insides of functions and classes."""
    yield node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        for part in ast.iter_child_nodes(node):
            yield from _executed(part)


def _others(statement: ast.AST, package: str) -> Iterator[str]:
    """The names that the statement binds, but for those of the package's own modules."""
    match statement:
        case ast.ImportFrom(names=names):
            for alias in names:
                name = alias.asname or alias.name
                if (_source(statement, package), alias.name) != (package, name):
                    yield name
        case ast.Import(names=names):
            for alias in names:
                if alias.name != f"{package}.{alias.asname}":
                    yield alias.asname or alias.name.partition(".")[0]
        case (
            ast.FunctionDef(name=name)
            | ast.AsyncFunctionDef(name=name)
            | ast.ClassDef(name=name)
            | ast.Name(id=name, ctx=ast.Store())
        ):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name


def _source(statement: ast.ImportFrom, package: str) -> str:
    """The package or module that is imported from, by its whole name."""
    above = package.split(".")[: len(package.split(".")) + 1 - statement.level] if statement.level else []
    return ".".join([*above, *([statement.module] if statement.module else [])])


def test_no_package_hides_a_module() -> None:
    found = {
        f"{path.parent.relative_to(ROOT)}": names
        for path in sources()
        if path.name == "__init__.py" and (names := hidden(path.parent, ROOT))
    }
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "from catalog.admin.screens import products",
        "from catalog.admin.products import products",
        "from catalog.admin import lists as products",
        "from .screens import products",
        "import catalog.admin.screens as products",
        "import catalog.admin.products.products as products",
        "if True:\n    from catalog.admin.screens import products",
        "def products(): ...",
        "async def products(): ...",
        "try: ...\nexcept ValueError as products: ...",
        "match 1:\n    case products: ...",
        "products = ()",
    ],
)
def test_one_that_does_is_found(tmp_path: Path, text: str) -> None:
    assert hidden(_package(tmp_path, text), tmp_path) == ["products"]


@pytest.mark.parametrize(
    "text",
    [
        "from catalog.admin import products",
        "from . import products",
        "import catalog.admin.products",
        "import catalog.admin.products as products",
        "def screen():\n    products = ()",
        "from catalog.admin.products import screen",
        "from catalog.admin.lists import screen",
    ],
)
def test_importing_the_module_itself_hides_nothing(tmp_path: Path, text: str) -> None:
    assert hidden(_package(tmp_path, text), tmp_path) == []


def _package(root: Path, text: str) -> Path:
    """`catalog.admin` with that line, a package `products` in it, and two modules."""
    admin = root / "catalog" / "admin"
    (admin / "products").mkdir(parents=True)
    (admin / "__init__.py").write_text(f"{text}\n")
    for name in ("products/__init__.py", "products/products.py", "screens.py", "lists.py"):
        (admin / name).write_text("")
    return admin
