"""axe-core, which finds what people with a screen reader, a keyboard or weak eyes cannot use."""

import json
from collections.abc import Iterable
from importlib.resources import files

from tests.browser.chromium import Page

_AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()
_FOUND = """axe.run(document, {resultTypes: ['violations'], ...OPTIONS}).then(found => found.violations
    .filter(rule => ['serious', 'critical'].includes(rule.impact) || LANDMARKS.includes(rule.id))
    .flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.target.join(' ')}: ${node.html.slice(0, 200)}`)))"""


_LANDMARKS = ("landmark-one-main", "landmark-main-is-top-level", "landmark-no-duplicate-main", "region")


def violations(page: Page, *rules: str, but: Iterable[str] = ()) -> list[str]:
    """The serious and critical violations on the page, and what is in no landmark: rule, place and element.

    Of these rules, or of all but some.
    """
    if page.run("typeof axe") == "undefined":
        page.run(_AXE)
    left_out = {rule: {"enabled": False} for rule in but}
    options = {"runOnly": {"type": "rule", "values": rules}} if rules else {"rules": left_out}
    script = _FOUND.replace("OPTIONS", json.dumps(options)).replace("LANDMARKS", json.dumps(_LANDMARKS))
    found: list[str] = page.run(script)
    return found
