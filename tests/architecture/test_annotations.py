"""How much of the apps mypy cannot see: `Any` in annotations, per hundred lines."""

import ast

import pytest

from tests.packages import ROOT, sources

MOST = {"carts": 0.9, "fulfillment": 0.9}


def annotations(tree: ast.AST) -> list[ast.expr]:
    """Those of parameters, results and variables, and what an alias stands for: one may not hide an Any."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(returns=each) | ast.arg(annotation=each):
                found.append(each)
            case ast.AnnAssign(annotation=each, value=value):
                found += [each, value]
            case ast.Assign(value=ast.Subscript() | ast.BinOp() | ast.Name() as value):
                found.append(value)
    return [each for each in found if each is not None]


@pytest.mark.once
@pytest.mark.parametrize(("app", "most"), MOST.items())
def test_an_app_has_few_annotations_that_take_anything(app: str, most: float) -> None:
    lines, places = 0, list[str]()
    for path in (path for path in sources() if path.is_relative_to(ROOT / app)):
        text = path.read_text()
        lines += text.count("\n")
        names = {node for each in annotations(ast.parse(text)) for node in ast.walk(each)}
        places += [f"{path}:{node.lineno}" for node in names if isinstance(node, ast.Name) and node.id == "Any"]
    assert lines > 1000
    assert len(places) * 100 / lines <= most, "\n".join(places)
