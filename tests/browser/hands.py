"""A person at a page: what they can see, point at and type. Scripts only look; the browser does the rest."""

import json
import time
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from tests.browser.chromium import Page

_MOST_TABS = 200
_PATIENCE = 10
"""Seconds that a person waits for what they want to click."""

_FIND = """
const own = element => [...element.childNodes]
    .filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.textContent).join(' ').trim();
const found = (selector, text) => [...document.querySelectorAll(selector)].find(element =>
    element.checkVisibility() &&
    (!text || [element, ...element.querySelectorAll('*')].some(part => own(part) === text)));
"""


class _Key(NamedTuple):
    """code: the key's number on Windows, which Chromium goes by everywhere. text: what it types."""

    code: int
    text: str = ""


_KEYS = {"Tab": _Key(9), "Enter": _Key(13, "\r"), " ": _Key(32, " "), "ArrowDown": _Key(40)}


class Hands(ABC):
    """Chooses links, fills fields and presses buttons that are visible on the page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def choose(self, text: str) -> None:
        """Follow the first visible link of that text; in a closed menu of the page, after opening it."""
        if not self.sees("a", text):
            self.activate("main summary", "More", leaves=False)
        assert self.sees("a", text), f"No link '{text}' on the page:\n{self.page.text}"
        self.activate("a", text)

    def submit(self) -> str:
        """Press the button of the form in the page's content; what the next page says."""
        self.activate("#content form button[type=submit], main form button[type=submit]")
        return self.page.text

    def move_money(self) -> str:
        """Submit a form that repeats its amount, and confirm it; what the next page says."""
        assert "Nothing has been done yet." in self.submit()
        return self.submit()

    @abstractmethod
    def activate(self, selector: str, text: str = "", *, leaves: bool = True) -> None:
        """Click, or press Enter on, the first visible element. leaves: whether another page follows."""

    @abstractmethod
    def fill(self, name: str, value: str) -> None:
        """Replace the value of a field, or choose the option of a menu by its text."""

    def sees(self, selector: str, text: str = "") -> bool:
        """Whether the page shows such an element."""
        return bool(self.page.run(f"(() => {{ {_FIND} return !!{_found(selector, text)} }})()"))

    def _type(self, value: str) -> None:
        """Over what the focused field has."""
        self._send_key("rawKeyDown", key="a", code=65, modifiers=2, commands=["selectAll"])
        self._send_key("keyUp", key="a", code=65)
        self._send_key("rawKeyDown", key="Delete", code=46)
        self._send_key("keyUp", key="Delete", code=46)
        for character in value:
            self.page.send("Input.dispatchKeyEvent", type="char", text=character)

    def _pick(self, value: str) -> None:
        """Press the down arrow in the focused menu until it shows the option."""
        count = self.page.run("document.activeElement.options.length")
        for _ in range(count):
            if self.page.run("document.activeElement.selectedOptions[0].text.trim()") == value:
                return
            self.press("ArrowDown")
        shown = self.page.run("[...document.activeElement.options].map(option => option.text)")
        assert self.page.run("document.activeElement.selectedOptions[0].text.trim()") == value, shown

    def _put(self, value: str) -> None:
        """Into the focused field or menu."""
        if self.page.run("document.activeElement.tagName") == "SELECT":
            self._pick(value)
        else:
            self._type(value)

    def press(self, key: str) -> None:
        """A key of the keyboard."""
        code, text = _KEYS[key]
        self._send_key("keyDown" if text else "rawKeyDown", key=key, code=code, **({"text": text} if text else {}))
        self._send_key("keyUp", key=key, code=code)

    def _send_key(self, type: str, *, key: str, code: int, **more: object) -> None:
        self.page.send("Input.dispatchKeyEvent", type=type, key=key, windowsVirtualKeyCode=code, **more)


class Mouse(Hands):
    """Clicks in the middle of what is visible; whatever covers it would get the click, which is an error."""

    def activate(self, selector: str, text: str = "", *, leaves: bool = True) -> None:
        x, y = self._point_at(selector, text)
        with self.page.leaving() if leaves else self.page.staying():
            for kind in ("mousePressed", "mouseReleased"):
                self.page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def fill(self, name: str, value: str) -> None:
        if self.page.run(f"document.querySelector('[name={name}]').tagName") == "SELECT":
            self.page.run(f"document.querySelector('[name={name}]').focus()")  # its list is a window of the system
        else:
            self.activate(f"[name={name}]", leaves=False)
        self._put(value)

    def _point_at(self, selector: str, text: str) -> tuple[float, float]:
        """Its middle, once it has appeared: what scripts open takes moments to be there."""
        end = time.monotonic() + _PATIENCE
        while not isinstance(point := self._find(selector, text), list):
            assert time.monotonic() < end, f"{selector} '{text}' is {point}:\n{self.page.text}"
            time.sleep(0.05)
        return point[0], point[1]

    def _find(self, selector: str, text: str) -> Any:
        """The element's middle, or why it cannot be clicked."""
        return self.page.run(f"""(() => {{ {_FIND}
            const element = {_found(selector, text)};
            if (!element) return 'absent';
            element.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}});
            const box = element.getClientRects()[0], x = box.x + box.width / 2, y = box.y + box.height / 2;
            const hit = document.elementFromPoint(x, y);
            return hit && (element.contains(hit) || hit.contains(element)) ? [x, y] : 'covered';
        }})()""")


class Keyboard(Hands):
    """Reaches everything with the tab key, and must see where the focus is."""

    def activate(self, selector: str, text: str = "", *, leaves: bool = True) -> None:
        self._tab_to(selector, text)
        with self.page.leaving() if leaves else self.page.staying():
            self.press("Enter")

    def fill(self, name: str, value: str) -> None:
        self._tab_to(f"[name={name}]", "")
        self._put(value)

    def _tab_to(self, selector: str, text: str) -> None:
        for _ in range(_MOST_TABS):
            if self.page.run(f"(() => {{ {_FIND} return {_found(selector, text)} === document.activeElement }})()"):
                assert self.page.run(_SHOWS_FOCUS), f"The focus on {selector} '{text}' cannot be seen"
                return
            self.press("Tab")
        raise AssertionError(f"{selector} '{text}' cannot be reached with the tab key:\n{self.page.text}")


_SHOWS_FOCUS = """(() => {
    const element = document.activeElement, box = element.getBoundingClientRect(), style = getComputedStyle(element);
    const before = [style.outline, style.boxShadow, style.borderColor, style.backgroundColor].join();
    element.blur();
    const after = [style.outline, style.boxShadow, style.borderColor, style.backgroundColor].join();
    element.focus({focusVisible: true});
    return before !== after && box.bottom > 0 && box.top < innerHeight;
})()"""


def _found(selector: str, text: str) -> str:
    return f"found({json.dumps(selector)}, {json.dumps(text)})"
