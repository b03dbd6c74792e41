"""Where the code declares things: names and `file:line`, relative to the checkout."""

import ast
import sys
from functools import cache, partial
from inspect import getsourcefile, getsourcelines, isclass, isroutine, unwrap
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

from django.conf import settings

from kit.rest.responses.errors import is_our_code

Named = tuple[str, str]
"""The name of a declaration, and its place."""


def at(path: str | Path | None, line: int) -> str:
    """The place of a line."""
    return f"{Path(str(path)).relative_to(settings.BASE_DIR)}:{line}"


def declared(code: Any) -> Named:
    """A class or function. Other objects are named by their class."""
    while isinstance(code, partial):
        code = code.func
    code = unwrap(code if isclass(code) or isroutine(code) else type(code))
    return code.__qualname__, at(getsourcefile(code), getsourcelines(code)[1])


def attribute(owner: type, name: str, value: object) -> Named:
    """A class attribute, in the class statement that has it. One that was added later is a constant of a module."""
    for base in owner.__mro__:
        if line := _assignments(base).get(name):
            return f"{base.__name__}.{name}", at(getsourcefile(base), line)
    return constant(value)


def constant(value: object) -> Named:
    """The constant of a module that is this very object; if there is none, its class."""
    for module in list(sys.modules.values()):
        for name in [name for name, each in list(vars(module).items()) if each is value]:
            if is_our_code(Path(str(module.__file__))) and (line := _assignments(module).get(name)):
                return name, at(module.__file__, line)
    return declared(value)


@cache
def _assignments(owner: type | ModuleType) -> dict[str, int]:
    """The names that statements of a class or module assign, with their lines."""
    try:
        lines, first = getsourcelines(owner)
    except (OSError, TypeError):  # no class statement made it
        return {}
    body = ast.parse(dedent("".join(lines))).body
    if isclass(owner) and isinstance(body[0], ast.ClassDef):
        body = body[0].body
    assigned = {}
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                assigned[name] = statement.lineno + max(first - 1, 0)
    return assigned
