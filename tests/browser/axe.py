"""axe-core, which finds what people with a screen reader, a keyboard or weak eyes cannot use."""

import json
from importlib.resources import files

from tests.browser.chromium import Page

_AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()
_FOUND = """axe.run(document, {resultTypes: ['violations'], rules: {'color-contrast': {enabled: CONTRAST}}})
    .then(found => found.violations
    .filter(rule => ['serious', 'critical'].includes(rule.impact))
    .flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.target.join(' ')}: ${node.html.slice(0, 200)}`)))"""


def violations(page: Page, *, contrast: bool = True) -> list[str]:
    """The serious and critical violations on the page: rule, place and element.

    contrast: whether to compare colors, which takes longer than all other rules.
    """
    if page.run("typeof axe") == "undefined":
        page.run(_AXE)
    found: list[str] = page.run(_FOUND.replace("CONTRAST", json.dumps(contrast)))
    return found
