"""A Chromium without a window, spoken to over two pipes in the DevTools protocol: no driver, no package."""

import base64
import json
import os
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WAIT = 60
"""Seconds."""

_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe"),
    *("--no-first-run", "--disable-background-networking", "--disable-extensions", "--hide-scrollbars"),
)


class Chromium:
    """A browser that keeps its profile in `home`. It starts with the first page, and again where it has failed."""

    def __init__(self, program: str, home: Path) -> None:
        self._program, self._home = program, home
        self._process: subprocess.Popen[bytes] | None = None
        self._number, self._buffer = 0, b""
        self._pages = dict[str, Page]()

    @contextmanager
    def page(self) -> Iterator["Page"]:
        """A page of a new visitor: it shares no cookies and no cache with other pages."""
        if not self._process:
            self._start()
        person = self.send("Target.createBrowserContext")["browserContextId"]
        target = self.send("Target.createTarget", url="about:blank", browserContextId=person)["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, session)
        try:
            yield page
        finally:
            self._pages.pop(session, None)
            self.send("Target.disposeBrowserContext", browserContextId=person)

    def send(self, method: str, *, session: str | None = None, **parameters: Any) -> Any:
        """A command of the protocol; what happens meanwhile, its page notes."""
        number = self.post(method, session=session, **parameters)
        while (answer := self._read()).get("id") != number:
            self._note(answer)
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]

    def post(self, method: str, *, session: str | None = None, **parameters: Any) -> int:
        """Send a command without waiting for its answer. Returns its number."""
        assert self._process, "Chromium has gone"
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        return self._number

    def wait(self) -> None:
        """For the next event."""
        self._note(self._read())

    def stop(self) -> None:
        """End the process, if it runs."""
        if not self._process:
            return
        self._process.terminate()
        self._process.wait(WAIT)
        os.close(self._commands)
        os.close(self._answers)
        self._process = None
        self._pages.clear()

    def _start(self) -> None:
        read_commands, self._commands = os.pipe()
        self._answers, write_answers = os.pipe()
        # The protocol's pipes are descriptors 3 and 4, whatever numbers they have here.
        shell = f'exec "$0" "$@" 3<&{read_commands} 4>&{write_answers}'
        self._buffer = b""
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", shell, self._program, *_FLAGS, f"--user-data-dir={self._home}"],
            pass_fds=(read_commands, write_answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_commands)
        os.close(write_answers)

    def _note(self, event: dict[str, Any]) -> None:
        if page := self._pages.get(event.get("sessionId", "")):
            page.note(event)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._answers], [], [], WAIT)
            more = os.read(self._answers, 65536) if ready else b""
            if not more:
                self.stop()
                raise AssertionError("Chromium has gone, or says nothing")
            self._buffer += more
        line, _, self._buffer = self._buffer.partition(b"\0")
        event: dict[str, Any] = json.loads(line)
        return event


class Page:
    """One tab. `complaints` are the errors and warnings of its console so far, the policy's refusals among them.

    `origins` is where it has asked for anything. `dialogs` are the kinds of dialogs so far; each is accepted.
    `refusals` are the requests that were answered by a status of 400 or more; `pending` are those without an answer.
    """

    def __init__(self, chromium: Chromium, session: str) -> None:
        self.complaints: list[str] = []
        self.origins: set[str] = set()
        self.dialogs: list[str] = []
        self.refusals: list[str] = []
        self.pending: dict[str, str] = {}
        self._chromium, self._session = chromium, session
        self._loaded = False
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def open(self, address: str) -> None:
        """Load the address and wait until everything on it has loaded."""
        self._loaded = False
        self.send("Page.navigate", url=address)
        self._await_load()

    def follow(self, script: str) -> None:
        """Run a script that leads to another page, and wait for that."""
        with self.leaving():
            self.run(script)

    @contextmanager
    def leaving(self) -> Iterator[None]:
        """Wait for the page that what is done inside leads to."""
        self._loaded = False
        yield
        self._await_load()

    @contextmanager
    def staying(self) -> Iterator[None]:
        """What is done inside must lead to no other page."""
        address = self.run("location.href")
        yield
        assert self.run("location.href") == address

    def switch_off_scripts(self) -> None:
        """From the next page on, none of its scripts run; those of tests do."""
        self.send("Emulation.setScriptExecutionDisabled", value=True)

    def run(self, script: str) -> Any:
        """What the script evaluates to; promises are awaited."""
        answer = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until the script's expression holds."""
        self.run(f"""new Promise((done, fail) => {{
            const end = Date.now() + {WAIT * 1000};
            const look = () => ({condition}) ? done() : Date.now() > end ? fail('too late') : setTimeout(look, 50);
            look();
        }})""")

    def fill(self, **values: str) -> None:
        """Type the values into the form's fields of these names."""
        for name, value in values.items():
            self.run(f"document.querySelector('[name={name}]').value = {json.dumps(value)}")

    @property
    def text(self) -> str:
        """What the page says."""
        return str(self.run("document.body.innerText"))

    def resize(self, width: int, height: int) -> None:
        """Show the page in a window of that size, in pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.send("Emulation.setDeviceMetricsOverride", **size)

    def shoot(self, path: Path, *, width: int = 1400, height: int = 900) -> None:
        """Save a picture of the page."""
        self.resize(width, height)
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))

    def send(self, method: str, **parameters: Any) -> Any:
        """A command of the protocol to this tab."""
        return self._chromium.send(method, session=self._session, **parameters)

    def _await_load(self) -> None:
        while not self._loaded:
            self._chromium.wait()

    def note(self, event: dict[str, Any]) -> None:
        """What has happened on the page."""
        given = event.get("params", {})
        match event.get("method"):
            case "Page.loadEventFired":
                self._loaded = True
            case "Page.frameNavigated" if "parentId" not in given["frame"]:
                self.pending.clear()  # nobody says how those of the former page have ended
            case "Network.requestWillBeSent":
                self.origins.add("/".join(given["request"]["url"].split("/")[:3]))
                self.pending[given["requestId"]] = f"{given['request']['method']} {given['request']['url']}"
            case "Network.responseReceived" if given["response"]["status"] >= 400:
                self.refusals.append(f"{given['response']['status']} {self.pending.get(given['requestId'])}")
            case "Network.loadingFinished" | "Network.loadingFailed":
                self.pending.pop(given["requestId"], None)
            case "Log.entryAdded" if given["entry"]["level"] in ("error", "warning"):
                self.complaints.append(given["entry"]["text"])
            case "Page.javascriptDialogOpening":
                self.dialogs.append(given["type"])
                self._chromium.post("Page.handleJavaScriptDialog", session=self._session, accept=True)
            case "Runtime.exceptionThrown":
                details = given["exceptionDetails"]
                self.complaints.append(details.get("exception", {}).get("description") or details["text"])
            case "Runtime.consoleAPICalled" if given["type"] in ("error", "warning"):
                said = (str(value.get("value", value.get("description"))) for value in given["args"])
                self.complaints.append(" ".join(said))
