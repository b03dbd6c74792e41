"""Lines of several processes in one pipe."""

import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import orjson
import pytest

from kit.observability.log_lines import LONGEST, StandardError, json_lines
from tests.packages import ROOT

pytestmark = pytest.mark.once

LINES = 1000
WRITER = f"""
import logging, logging.config, sys, structlog
from kit.observability.logs import Secrets, logging_config
logging.config.dictConfig(logging_config(level="INFO", human=False, secrets=Secrets("never", "never", ("never",))))
name, log = sys.argv[1], structlog.get_logger()
for number in range({LINES}):
    log.info("short", writer=name, number=number)
    log.info("long", writer=name, number=number, text=name * 20_000)
    logging.getLogger("library").error("%s", name * 5000)
"""


def parts(text: bytes) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in text.split(b"\n")]


def test_no_line_of_a_process_stands_within_one_of_another() -> None:
    """The reader is slower than the writers, so that the pipe is full."""
    reader, writer = os.pipe()
    processes = [subprocess.Popen([sys.executable, "-c", WRITER, name], cwd=ROOT, stderr=writer) for name in "ab"]
    os.close(writer)
    with os.fdopen(reader, "rb", buffering=0) as pipe:
        heard = bytearray()
        while piece := pipe.read(100_000):
            heard += piece
            time.sleep(0.0005)
    assert [process.wait() for process in processes] == [0, 0]
    texts: dict[tuple[str, int], str] = defaultdict(str)
    shorts = library = 0
    for line in heard.split(b"\n")[:-1]:
        assert len(line) < LONGEST
        read = orjson.loads(line)
        if read["event"] == "long":
            texts[read["writer"], read["number"]] += read["text"]
        elif read["event"] == "short":
            shorts += 1
        else:
            library += len(read["event"])
    assert texts == {(name, number): name * 20_000 for name in "ab" for number in range(LINES)}
    assert (shorts, library) == (2 * LINES, 2 * LINES * 5000)


@pytest.mark.parametrize("text", ["x" * 9000, '"\n' * 9000, "é\u2028" * 9000, "\x01" * 9000, "a\n" + "y" * 9000])
def test_a_long_text_is_whole_in_several_lines(text: str) -> None:
    line = {"event": "failed", "status": 500, "exception": text, "path": "/" + "p" * 3000}
    lines = json_lines(None, "", dict(line)).split(b"\n")
    assert all(len(each) < LONGEST for each in lines)
    read = [orjson.loads(each) for each in lines]
    assert "".join(each["exception"] for each in read) == text
    assert [each["part"] for each in read] == [f"{number}/{len(read)}" for number in range(1, len(read) + 1)]
    assert {(each["event"], each["status"], each["path"]) for each in read} == {("failed", 500, "/" + "p" * 299)}


@pytest.mark.parametrize("letter", ["x", "é", "\x01"])
def test_a_line_of_many_long_texts_does_not_multiply(letter: str) -> None:
    others = {f"field{number}": letter * 400 for number in range(8)}
    lines = json_lines(None, "", {**others, "exception": "x" * 9000}).split(b"\n")
    assert len(lines) <= 9
    assert all(len(each) < LONGEST for each in lines)
    many = {f"field{number}": letter * 400 for number in range(30)}
    assert len(json_lines(None, "", {**many, "exception": "x" * 9000}).split(b"\n")) == 30


def test_a_traceback_is_cut_between_its_lines() -> None:
    trace = "".join(f'  File "{number}.py", line {number}\n' for number in range(500))
    assert all(each["exception"].endswith("\n") for each in parts(json_lines(None, "", {"exception": trace})))


def test_what_json_cannot_hold_is_shown_somehow() -> None:
    line = json.loads(json_lines(None, "", {"event": "\ud800", "number": 2**70, "other": object}))
    assert line["number"] == 2**70
    assert line["other"] == repr(object)


def test_a_log_that_nobody_reads_stops_nothing() -> None:
    program = (
        "import os; from kit.observability.log_lines import StandardError; "
        "r, w = os.pipe(); os.dup2(w, 2); os.close(w); os.close(r); StandardError().write(b'x' * 9000); print('done')"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    assert done.stdout == "done\n"


def test_all_of_a_text_is_written(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    StandardError().write("é\ud800 " * 3000 + "\n" + "last\n")
    assert capfd.readouterr().err == "é\\ud800 " * 3000 + "\nlast\n"
