"""A member of staff at the admin site, whose clicks and pages are counted for each task."""

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.browser.chromium import Page
from tests.browser.hands import Mouse

NEAR = 3
"""A field so many stops of the tab key away is reached with that; any other is clicked."""

_WIDTH, _HEIGHT, _SCALE = 1280, 800, 0.7
_WORDS = """[document.body.innerText, ...[...document.querySelectorAll('[title], [aria-label], [placeholder], option')]
    .flatMap((one) => [one.title, one.ariaLabel, one.placeholder, one.text])].filter(Boolean).join('\\n')"""

_FOUND = "[...document.querySelectorAll('.select2-results__option')].map((one) => one.innerText.trim())"


class Effort(NamedTuple):
    """What a task takes from the overview on. pages: those on which something is entered or submitted."""

    clicks: int
    pages: int


class Person(Mouse):
    """Typing and keys are no clicks. Choosing from a menu of the browser is two: one opens it, and one chooses.

    words: what the screens have said since the task began, with the names of their buttons and fields.
    pictures: the folder that `picture` writes to; None for none.
    """

    def __init__(self, page: Page, site: str, pictures: Path | None) -> None:
        super().__init__(page)
        self._site, self._pictures = site, pictures
        self.begin()

    def begin(self) -> None:
        """Open the overview for a new task."""
        self.page.resize(_WIDTH, _HEIGHT)
        self.page.open(f"{self._site}/admin/")
        self._clicks, self._pages, self.words = 0, set[str](), ""

    @property
    def effort(self) -> Effort:
        return Effort(self._clicks, len(self._pages))

    # --- Finding one's way ------------------------------------------------------------------------------------------

    def menu(self, text: str) -> None:
        """Choose a screen from the menu."""
        self.activate("#nav-sidebar-apps a", text)

    def add(self, *screen: str) -> None:
        """Open the form for a new row of the screen."""
        self.menu(*screen)
        self.activate("a.addlink")

    def activate(self, selector: str, text: str = "", *, leaves: bool = True) -> None:
        self.look()
        self._clicks += 1
        super().activate(selector, text, leaves=leaves)

    def look(self) -> None:
        """Read the page."""
        self.words += self.page.run(_WORDS) + "\n"

    def picture(self, name: str, *, top: str = "body") -> None:
        """Take a picture of the page for docs/staff.md. top: what stands at its upper edge."""
        if self._pictures is None:
            return
        self.page.run(
            f"document.querySelector({json.dumps(top)}).scrollIntoView({{block: 'start', behavior: 'instant'}})"
        )
        shape = {"x": 0, "y": self.page.run("scrollY"), "width": _WIDTH, "height": _HEIGHT, "scale": _SCALE}
        shot = self.page.send("Page.captureScreenshot", format="webp", quality=60, clip=shape)
        (self._pictures / f"{name}.webp").write_bytes(base64.b64decode(shot["data"]))

    # --- Filling in forms -------------------------------------------------------------------------------------------

    def enter(self, name: str, value: str) -> None:
        """Type into the field of that name."""
        self.reach(f"[name='{name}']")
        self._put(value)

    def enter_day(self, name: str, day: str) -> None:
        """Type a day, such as 2027-05-01, into the browser's field, which asks for the month first."""
        self.reach(f"[name='{name}']")
        year, month, number = day.split("-")
        for character in f"{month}{number}{year}":
            self.page.send("Input.dispatchKeyEvent", type="char", text=character)
        assert self.page.run("document.activeElement.value") == day

    def reach(self, selector: str) -> None:
        """Put the focus on the element: with the tab key if it is near, else by a click."""
        self._note_page()
        is_there = f"document.activeElement.matches({json.dumps(selector)})"
        for _ in range(NEAR):
            if self.page.run(is_there):
                return
            self.press("Tab")
        if not self.page.run(is_there):
            self.activate(selector, leaves=False)

    def select(self, name: str, option: str) -> None:
        """Choose from a menu of the browser, unless it shows the option."""
        self._note_page()
        self.look()
        if self.page.run(f"document.querySelector(\"[name='{name}']\").selectedOptions[0].text.trim()") == option:
            return
        self._clicks += 2
        self.page.run(f"document.querySelector(\"[name='{name}']\").focus()")  # its list is a window of the system
        self._pick(option)

    def pick(self, name: str, *options: str) -> None:
        """Type the beginning of each option into the picker, and choose it. A picker of one opens by a click."""
        picker = f"[name='{name}'] ~ .select2"
        if self.page.run(f"document.querySelector({json.dumps(picker)} + ' .select2-search__field') !== null"):
            self.reach(f"{picker} .select2-search__field")
        else:
            self.tick(f"{picker} .select2-selection")
        for option in options:
            for letter in option[:5]:
                self.page.send("Input.dispatchKeyEvent", type="char", text=letter)
            self.page.until(f"{_FOUND}.filter((text) => text === {json.dumps(option)}).length === 1")
            self.activate(".select2-results__option", option, leaves=False)

    def tick(self, selector: str, text: str = "") -> None:
        """Click a box, or its label."""
        self._note_page()
        self.activate(selector, text, leaves=False)

    def paste(self, rows: Sequence[Sequence[str]]) -> None:
        """What was copied in a spreadsheet, into the cell that has the focus."""
        text = "\n".join("\t".join(row) for row in rows)
        self.page.run(f"""(() => {{
            const clipboardData = new DataTransfer();
            clipboardData.setData('text', {json.dumps(text)});
            document.activeElement.dispatchEvent(
                new ClipboardEvent('paste', {{clipboardData, bubbles: true, cancelable: true}}));
        }})()""")

    def upload(self, selector: str, button: str, files: Sequence[Path]) -> None:
        """Press the button; in the system's window, three clicks choose the first file, the last one, and all."""
        self.page.send("Page.setInterceptFileChooserDialog", enabled=True)
        self.tick("label", button)
        self._clicks += 3
        field = self.page.send("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")
        names = [str(file) for file in files]
        self.page.send("DOM.setFileInputFiles", files=names, objectId=field["result"]["objectId"])

    def save(self, selector: str = "[name=_save]", text: str = "Save") -> str:
        """Submit the form; what the next page says."""
        self._note_page()
        self.activate(f"button{selector}", text)
        self.look()
        return self.page.text

    def submit(self) -> str:
        self._note_page()
        super().submit()
        self.look()
        return self.page.text

    def _note_page(self) -> None:
        self._pages.add(self.page.run("location.pathname"))
