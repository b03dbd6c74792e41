"""How the interface document writes the fields of a resource, in tables and in sentences, and what they mean."""

import re
from collections.abc import Iterator

from tests.interface_walk.tables import FLAG, MOMENT, NUMBER, OBJECT, TEXT, Fields

_WORDS = {"string": TEXT, "number": NUMBER, "boolean": FLAG, "timestamp": MOMENT}
_OF_ALL = re.compile(r"(strings|numbers|booleans|timestamps|price reference)\b")
_PIECE = re.compile(r"([a-z][a-z0-9_]*)(?:\s*\((.*)\)|\s+((?:string|number|boolean)s?))?", re.DOTALL)
_NUMBERS_FOLLOW = "the number fields "


class FieldReader:
    """Reads the fields of resources; `found` are those it has met, those within others named `holder.field`."""

    def __init__(self) -> None:
        self.found: dict[str, Fields] = {}

    def read(self, resource: str, text: str, *, otherwise: str | None = None) -> None:
        """Fields of the resource as a sentence lists them. otherwise: the kind of those that say none."""
        known = self.found.setdefault(resource, {})
        for segment in _split(text, ";"):
            waiting: list[str] = []
            for name, reported in _names(segment, otherwise):
                known[name] = "" if reported is None else self._kind(resource, name, reported)
                if reported is None:
                    waiting.append(name)
                    continue
                if _OF_ALL.match(reported):
                    known.update(dict.fromkeys(waiting, known[name]))
                waiting = []

    def row(self, resource: str, names: str, reported: str) -> None:
        """A row of a table: names that share a type."""
        for name in names.split(", "):
            self.found.setdefault(resource, {})[name] = self._kind(resource, name, reported)

    def resolve(self) -> dict[str, Fields]:
        """All that was read, once what only names say is settled by them."""
        return {
            resource: {name: self._settled(resource, name, kind) for name, kind in known.items()}
            for resource, known in self.found.items()
        }

    def _kind(self, resource: str, name: str, reported: str) -> str:
        word = re.match(r"[a-z]+", reported)
        if word and word[0].rstrip("s") in _WORDS:
            return _WORDS[word[0].rstrip("s")]
        if reported.startswith("price reference: "):
            self.read("Price reference", reported.removeprefix("price reference: "))
            return "one Price reference"
        if inner := re.fullmatch(r"(object|list of)(?: objects)?(?:: | with )(.+)", reported):
            self.read(f"{resource}.{name}", inner[2].replace(" and ", ", "))
            return f"{'one' if inner[1] == 'object' else 'list'} {resource}.{name}"
        if reported.startswith("object"):
            return OBJECT
        if reported == "list":
            return f"list {name.removesuffix('s').capitalize()}"
        _how, _, held = reported.rpartition("list of ")
        return f"{'list' if reported != held else 'one'} {held}"

    def _settled(self, resource: str, name: str, kind: str) -> str:
        if kind:
            return kind
        resources = {known.lower().replace("_", " "): known for known in self.found}
        words, leaf = (text.replace("_", " ") for text in (name, resource.rpartition(".")[2]))
        if known := resources.get(f"{leaf} {words}", resources.get(words)):
            return f"one {known}"
        if name == "metadata":
            return OBJECT
        return MOMENT if name.endswith("_at") else TEXT


def _names(segment: str, otherwise: str | None) -> Iterator[tuple[str, str | None]]:
    """The names of a segment, each with what is reported of it: `a`, `a (string)`, `a string`."""
    for part in _split(re.sub(r" and (?=[a-z_]+ \()", ", ", segment), ","):
        piece = part.strip().rstrip(".").removeprefix("and ")
        if piece.startswith(_NUMBERS_FOLLOW):
            piece, otherwise = piece.removeprefix(_NUMBERS_FOLLOW), NUMBER
        if found := _PIECE.fullmatch(piece):
            yield found[1], found[2] or found[3] or otherwise


def _split(text: str, mark: str) -> list[str]:
    """The parts of a text between marks that stand in no parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts
