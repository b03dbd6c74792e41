"""What of a page is wider than the screen."""

from tests.browser.chromium import Page

_WIDTH = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
_WIDEST = """(() => {
    const wide = [...document.querySelectorAll('body *')].filter((one) => {
        if (one.getBoundingClientRect().right <= innerWidth + 1) return false;
        for (let box = one.parentElement; box; box = box.parentElement)
            if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(box).overflowX)) return false;
        return true;
    });
    return wide.slice(0, 3).map((one) => `${one.tagName}.${one.className}`);
})()"""
"""The first elements beyond the right edge that no box around them clips or scrolls."""
_CUT_OFF = """[...document.querySelectorAll('.formset-wrapper :is(input, select, textarea)')].filter(
    (one) => one.offsetParent && one.type !== 'hidden' && one.getBoundingClientRect().right > innerWidth + 1
).map((one) => one.name)"""
"""The fields of tables beyond the right edge, which the box around the table scrolls."""


def overflow(page: Page, width: int) -> list[str]:
    """By how much the page is wider than the screen of that width, and where; or the fields that it cuts off."""
    beyond = page.run(_WIDTH) - width
    if beyond > 0:
        return [f"{beyond} pixels too wide: {', '.join(page.run(_WIDEST))}"]
    return [f"cut off: {name}" for name in page.run(_CUT_OFF)]
