"""Somebody at the official dashboard: a single page, where clicks change what is shown and no page is loaded."""

import json
import time
from pathlib import Path
from typing import Any

from tests.browser.chromium import Page
from tests.browser.hands import Mouse

PATIENCE = 60
"""Seconds in which the dashboard must show what it was asked for, and have its answers, also on a busy machine."""

_SIZE = (1400, 1000)
_CLICKED = "button, a, [role=menuitem], [role=option], [role=radio], [role=checkbox], [role=tab], label, tr, td, input"
_FIND = """
const own = element => [...element.childNodes]
    .filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.textContent).join(' ').trim();
const says = (element, text) => [element, ...element.querySelectorAll('*')].some(part =>
    [own(part), part.textContent.trim(), part.ariaLabel, part.placeholder].includes(text));
const card = heading => [...document.querySelectorAll('h1, h2, h3')].filter(one => says(one, heading))
    .map(one => one.closest('.shadow-elevation-card-rest, [role=dialog], form')).find(Boolean);
const middle = element => {
    element.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
    const box = element.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    const hit = document.elementFromPoint(x, y);
    return hit && (element.contains(hit) || hit.contains(element)) ? [x, y] : null;
};
const find = (selector, text, heading, last) => {
    const within = heading ? card(heading) : document;
    if (!within) return 'no card ' + heading;
    const found = [...within.querySelectorAll(selector)].filter(one => one.checkVisibility() && !one.disabled &&
        (!text || says(one, text)));
    if (last) found.reverse();
    for (const one of found) { const point = middle(one); if (point) return point; }
    return found.length + ' covered';
};
"""
_OWN_COMPLAINTS = (
    *("No `HydrateFallback` element", "DialogTitle", "Missing `Description`", "Matched leaf route"),
    *("A router only supports one blocker", "net::ERR_", "the server responded with a status of"),
)
"""What the dashboard complains of, whatever answers it: of itself, of flags of countries, which another server has, and
of refusals, which are noted with their addresses.
"""
_FORMER_VERSION = "?version=1&fields=created_at"
"""Of an order that has changed since: they are not kept, and its page opens nevertheless."""
_IS_IDLE = "!document.querySelector('.animate-spin, .animate-pulse')"


class Clerk(Mouse):
    """Reads and clicks by what elements say: their text, label or placeholder. pictures: where `picture` writes to."""

    def __init__(self, page: Page, site: str, pictures: Path | None) -> None:
        super().__init__(page)
        self._site, self._pictures = site, pictures
        page.resize(*_SIZE)

    def open(self, path: str) -> None:
        """A screen, by its path below the dashboard's own."""
        self.page.open(f"{self._site}/app/{path}")
        self.settle()

    def settle(self) -> None:
        """Wait until all requests are answered and nothing is being loaded."""
        end, calm = time.monotonic() + PATIENCE, 0
        while calm < 3:
            time.sleep(0.05)
            calm = calm + 1 if self.page.run(_IS_IDLE) and not self.page.pending else 0
            assert time.monotonic() < end, f"still waits for {[*self.page.pending.values()]}:\n{self.page.text}"

    def click(self, text: str = "", *, selector: str = _CLICKED, under: str = "", last: bool = False) -> None:
        """Click the first element that says so and is not covered. under: the heading of the card that it is in."""
        given = ", ".join(json.dumps(value) for value in (selector, text, under, last))
        end = time.monotonic() + PATIENCE
        while not isinstance(point := self.page.run(f"(() => {{ {_FIND} return find({given}) }})()"), list):
            assert time.monotonic() < end, f"{selector} '{text}': {point}:\n{self.page.text}"
            time.sleep(0.05)
        self._press(*point)
        self.settle()

    def enter(self, name: str, value: str) -> None:
        """Replace what the field of that name has."""
        self.click(selector=f"[name='{name}']")
        self._type(value)
        self.settle()

    def put(self, row: int, column: int, value: str) -> None:
        """Type into a cell of the grid, counted from 0."""
        self.click(selector=f"[data-row-index='{row}'][data-column-index='{column}']")
        for letter in value:
            self._send_key("keyDown", key=letter, code=_code(letter), text=letter)
            self._send_key("keyUp", key=letter, code=_code(letter))
        self.press("Enter")
        self.settle()

    def upload(self, file: Path) -> None:
        """Choose a file for the field that is shown; a hidden copy of the form comes before it."""
        field = self.page.send(
            "Runtime.evaluate", expression="[...document.querySelectorAll('input[type=file]')].at(-1)"
        )
        self.page.send("DOM.setFileInputFiles", files=[str(file)], objectId=field["result"]["objectId"])
        self.settle()

    def choose_new(self, text: str) -> None:
        """Type into the shown box of options, and choose to create what it lacks."""
        self.click(selector="input[role=combobox]")
        self._type(text)
        self.click(f'Create "{text}"', selector="[role=option]")
        self.press("Tab")

    def pick(self, name: str, option: str) -> None:
        """Choose an option of the box of that name, or one that begins so."""
        self.click(selector=f"[name='{name}']")
        self.click(option, selector="[role=option]")

    def write(self, value: str) -> None:
        """Add a value to the field that has the focus, which takes several."""
        self._type(value)
        self.press("Enter")
        self.settle()

    def tick(self, text: str) -> None:
        """Choose the row of a table in the form that says so."""
        rows = "[...document.querySelectorAll('[role=dialog] tbody tr')]"
        row = f"{rows}.find(row => row.innerText.includes({json.dumps(text)}))"
        self.page.until(row)
        self.page.run(f"{row}.dataset.wanted = 'yes'")
        self.click(selector="[data-wanted] [role=checkbox]")

    def until(self, text: str) -> None:
        """Wait until the page says so."""
        self.page.until(f"document.body.innerText.includes({json.dumps(text)})")
        self.settle()

    def faults(self) -> list[str]:
        """The requests that this shop has refused since the last time, and what the console complains of."""
        found = [each for each in self.page.refusals if self._site in each and _FORMER_VERSION not in each]
        found += [each for each in self.page.complaints if not any(own in each for own in _OWN_COMPLAINTS)]
        self.page.refusals.clear()
        self.page.complaints.clear()
        return found

    def picture(self, name: str) -> None:
        """Take one of the screen."""
        if self._pictures is not None:
            self.page.shoot(self._pictures / f"{name}.png", width=_SIZE[0], height=_SIZE[1])

    def _press(self, x: float, y: float) -> None:
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            more: dict[str, Any] = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            self.page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)


def _code(letter: str) -> int:
    """The number of its key, as far as the dashboard goes by it: a full stop is not Delete, whose number is its own."""
    return ord(letter.upper()) if letter.isalnum() else 0
