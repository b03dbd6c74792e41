"""axe-core, which finds what people with a screen reader, a keyboard or weak eyes cannot use."""

from importlib.resources import files

from tests.browser.chromium import Page

_AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()
_FOUND = """axe.run(document, {resultTypes: ['violations']}).then(found => found.violations
    .filter(rule => ['serious', 'critical'].includes(rule.impact))
    .flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.target.join(' ')}: ${node.html.slice(0, 200)}`)))"""


def violations(page: Page) -> list[str]:
    """The serious and critical violations on the page: rule, place and element."""
    if page.run("typeof axe") == "undefined":
        page.run(_AXE)
    found: list[str] = page.run(_FOUND)
    return found
