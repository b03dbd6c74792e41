"""The interface document, read into the shape of the walk's tables, where it lies beside the checkout."""

import re

from tests.interface_walk.document_fields import FieldReader
from tests.interface_walk.routes import BEARER, COOKIE, KEY
from tests.interface_walk.tables import Fields, Route
from tests.shared_data import INTERFACE

_OWN_PARTS = {
    "Identity and display": None,
    "Flags": None,
    "Numbers": "number",
    "Number totals": "number",
    "Lists": None,
}


def resources() -> dict[str, Fields]:
    """Every resource with the kinds of its fields."""
    reader = FieldReader()
    for heading, text in _parts(_parts(INTERFACE.read_text(), "## ")["Resources and their fields"], "### ").items():
        if heading and not heading.startswith("Gaps"):
            _read_section(reader, heading.partition(" (")[0], text)
    return reader.resolve()


def _read_section(reader: FieldReader, resource: str, text: str) -> None:
    for paragraph in filter(None, re.split(r"\n\n|\n(?=- )", text.strip())):
        if paragraph.startswith("|"):
            for names, reported in re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", paragraph, re.MULTILINE)[1:]:
                reader.row(resource, names, reported)
            continue
        for sentence in paragraph.removeprefix("- ").split(". "):
            _read_sentence(reader, resource, sentence)


def _read_sentence(reader: FieldReader, section: str, sentence: str) -> None:
    if found := re.match(r"The (\w+ \w+) has (.+)", sentence, re.DOTALL):
        reader.read(found[1].capitalize(), found[2])
    elif found := re.match(r"(\w+ \([a-z]+\)) appears ", sentence):
        reader.read(section, found[1])
    elif found := re.match(r"([A-Z][\w ]+): (.+)", sentence, re.DOTALL):
        own = found[1] in _OWN_PARTS
        reader.read(section if own else found[1], found[2], otherwise=_OWN_PARTS.get(found[1]))
    else:
        reader.read(section, sentence)


def routes() -> dict[str, Route]:
    """Every route that is reported with its method and path."""
    sections = _parts(_parts(INTERFACE.read_text(), "## ")["Endpoints"], "### ")
    return {name: _route(name, text) for name, text in sections.items() if re.match(r"[A-Z]+ /", name)}


def _route(name: str, text: str) -> Route:
    reported = dict(re.findall(r"^- ([A-Z]\w+)[^:\n]*?: (.+)$", text, re.MULTILINE))
    headers = re.search(r"^- Headers?: (.+)$", text, re.MULTILINE)
    given = reported.get("Response", "").removeprefix("object with ")
    resource = re.search(r"(?:list of )?([A-Z][\w ]*?)(?: resource[^()]*)?\)\.$", given)
    return Route(
        name,
        resource[1] if resource else None,
        answer=_listed(given.replace(" and ", ", ")),
        query=_listed(reported.get("Query", "")),
        body=_listed(re.search(r"^- Body \([^)]*\)(?:, [\w ]+)?: (.+)$", text, re.MULTILINE)[1])
        if "- Body (" in text
        else (),
        headers=frozenset(credential for credential in (KEY, COOKIE, BEARER) if headers and credential in headers[1]),
    )


def _listed(text: str) -> tuple[str, ...]:
    """The names of a list, without what stands in parentheses."""
    while text != (shorter := re.sub(r"\([^()]*\)", "", text)):
        text = shorter
    names = (name.strip(" .") for name in re.split(r"[;,]", text))
    return tuple(name for name in names if re.fullmatch(r"\$?[a-z_0-9]+", name))


def credentials() -> tuple[str, ...]:
    """The names of the ways to say who asks."""
    return tuple(row[0] for row in _table("Authentication"))


def bodies() -> tuple[tuple[str, tuple[str, ...], str | None, str | None], ...]:
    """The kinds of bodies in their order: content type, keys, code and type where one was seen."""
    return tuple((content_type, *_shape(shape)) for _, content_type, shape in _table("Errors"))


def _shape(reported: str) -> tuple[tuple[str, ...], str | None, str | None]:
    seen = dict(re.findall(r"observed (\w+): (\w+)", reported))
    keys = tuple(name for name in _listed(reported.partition("; ")[0]) if name in ("code", "message", "type"))
    return keys, seen.get("code"), seen.get("type")


def _table(section: str) -> list[list[str]]:
    text = _parts(INTERFACE.read_text(), "## ")[section]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return rows[1:]


def _parts(text: str, mark: str) -> dict[str, str]:
    """What stands below each heading of that level."""
    parts = re.split(rf"^{mark}(.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
