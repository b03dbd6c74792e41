"""Moves modules as a table says and rewrites imports, names and paths that name them, in code, tests and documents.

    .venv/bin/python move/move.py code     moves what move/modules.tsv lists (the app code)
    .venv/bin/python move/move.py tests    moves what move/tests.tsv lists

An open branch is rebased by running it on the branch's own tree first. It prints what it left for a person to decide.
"""

import ast
import io
import re
import shutil
import subprocess
import sys
import textwrap
import tokenize
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
STAGE = sys.argv[1]
TABLE = {"code": "modules.tsv", "tests": "tests.tsv"}[STAGE]
ROOTS = ["commerce", "orders", "payments", "giftcards", "fulfillment", "carts", "catalog", "customers", "apikeys"]
if STAGE == "tests":
    ROOTS = ["tests"]
KEYS = set((HERE / "keys.txt").read_text().split())
"""Strings that look like modules and are keys: stored or hashed, hence never rewritten."""
FIELDS = {"orders.payment_status"}
"""Fields of answers, not modules."""
NAMED_AS_THEY_ARE = {"tests/architecture/test_stored_keys.py", "tests/architecture/test_hidden_modules.py"}
"""Tests whose texts are keys or plans of packages that do not exist; their imports are rewritten."""
TEXTS = {".md", ".toml", ".yml", ".yaml", ".html", ".js", ".mjs", ".css", ".service", ".timer", ".conf", ".json", ""}
LEFT_ALONE = re.compile(
    r"^(move/|requirements.*\.txt|commerce/(openapi\.yaml|schema\.graphql)|.*\.shop\.json|.*package-lock\.json|tests/recorded/)"
)

notes: list[str] = []


def tracked() -> list[str]:
    return subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")[
        :-1
    ]


FILES = [file for file in tracked() if not LEFT_ALONE.match(file)]
IS_ROOT = re.compile(rf"^({'|'.join(ROOTS)})/")
MODULES: dict[str, str] = {}  # dotted old name -> old path
PACKAGES: set[str] = set()
for file in FILES:
    if file.endswith(".py") and IS_ROOT.match(file):
        parts = file[:-3].split("/")
        if parts[-1] == "__init__":
            parts.pop()
            PACKAGES.add(".".join(parts))
        MODULES[".".join(parts)] = file

GIVEN = dict(line.split("\t") for line in (HERE / TABLE).read_text().splitlines())
DISSOLVED = {"commerce.kit.core"}


def new_name(module: str) -> str:
    """Where a module is after the move: what the table says, else with its package, else where it was."""
    if module in GIVEN:
        return GIVEN[module]
    head, _, last = module.rpartition(".")
    return f"{new_name(head)}.{last}" if head else module


def new_path(file: str) -> str:
    """The same for any file: a module, or what lies in a package's folder."""
    if file.endswith(".py"):
        module = ".".join(file[:-3].split("/"))
        if module.endswith(".__init__"):
            return new_name(module.removesuffix(".__init__")).replace(".", "/") + "/__init__.py"
        return new_name(module).replace(".", "/") + ".py"
    if file in FOLDERS:
        return FOLDERS[file]
    parent, _, name = file.rpartition("/")
    for folder, target in FOLDERS.items():
        if file.startswith(folder + "/"):
            return target + file[len(folder) :]
    return f"{new_folder(parent)}/{name}" if parent else name


FOLDERS: dict[str, str] = {}
"""Folders without modules that do not go with their package."""


def new_folder(folder: str) -> str:
    dotted = folder.replace("/", ".")
    if dotted in GIVEN:
        return GIVEN[dotted].replace(".", "/")
    parent, _, name = folder.rpartition("/")
    return f"{new_folder(parent)}/{name}" if parent else folder


def names_of(module: str) -> set[str]:
    """What a module defines at its top level, to tell names in it from other dotted texts."""
    tree = ast.parse((ROOT / MODULES[module]).read_bytes())
    names = {m.rpartition(".")[2] for m in MODULES if m.rpartition(".")[0] == module}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(each.asname or each.name).split(".")[0] for each in node.names}
    return names


NAMES: dict[str, set[str]] = {}
DOTTED = re.compile(rf"(?<![\w./$-])(?:{'|'.join(ROOTS)})(?:\.[A-Za-z_]\w*)+(?!\w)")
PATHED = re.compile(rf"(?<![\w.$-])(?<!\w/)(?:{'|'.join(ROOTS)})(?:/[\w.-]+)+/?")


def dotted(text: str, where: str) -> str:
    def replaced(match: re.Match[str]) -> str:
        token = match[0]
        if token in KEYS:
            return token
        parts = token.split(".")
        for length in range(len(parts), 1, -1):
            module = ".".join(parts[:length])
            if module in MODULES or module in DISSOLVED:
                break
        else:
            return token
        rest = parts[length:]
        if module in DISSOLVED:
            notes.append(f"{where}: {token}: the package is dissolved")
            return token
        if new_name(module) == module:
            return token
        if rest and rest[0] in ("py", "md", "html", "txt", "toml"):
            return token
        if rest and rest[0] not in NAMES.setdefault(module, names_of(module)):
            if length > 2 or module.startswith("commerce."):
                notes.append(f"{where}: {token}: {rest[0]} is no name of {module}")
            return token
        if not rest and length == 2 and not module.startswith("commerce.") and STAGE == "code":
            if token in FIELDS:
                return token
            notes.append(f"{where}: {token}: a module, or something else? Taken for a module.")
        return ".".join([new_name(module), *rest])

    return DOTTED.sub(replaced, text)


def pathed(text: str, where: str) -> str:
    def replaced(match: re.Match[str]) -> str:
        token = match[0]
        bare = token.rstrip("/.")
        tail = token[len(bare) :]
        if bare in EXISTING:
            return new_path(bare) + tail
        if bare in EXISTING_FOLDERS:
            if bare.replace("/", ".") in DISSOLVED:
                notes.append(f"{where}: {token}: the folder is dissolved")
                return token
            return (FOLDERS.get(bare) or folder_or_within(bare)) + tail
        if f"{bare}.py" in EXISTING:
            return new_path(f"{bare}.py").removesuffix(".py") + tail
        # Below a known folder, such as a pattern or a file that is made later.
        head, _, last = bare.rpartition("/")
        while head and head not in EXISTING_FOLDERS:
            head, _, more = head.rpartition("/")
            last = f"{more}/{last}"
        if head and "/" in head and folder_or_within(head) != head:
            notes.append(f"{where}: {token}: not a file")
            return f"{folder_or_within(head)}/{last}{tail}"
        return token

    return PATHED.sub(replaced, text)


EXISTING = set(FILES)
EXISTING_FOLDERS = {"/".join(file.split("/")[:n]) for file in FILES for n in range(1, len(file.split("/")))}


def folder_or_within(folder: str) -> str:
    for old, new in FOLDERS.items():
        if folder == old or folder.startswith(old + "/"):
            return new + folder[len(old) :]
    return new_folder(folder)


def text_rewritten(text: str, where: str) -> str:
    return pathed(dotted(text, where), where)


class Source:
    """A Python file, rewritten by positions."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.text = (ROOT / file).read_text()
        self.lines = self.text.splitlines(keepends=True)
        self.tree = ast.parse(self.text)
        self.edits: list[tuple[int, int, str]] = []  # offsets in self.text
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.renamed: dict[str, str] = {}
        self.plain: set[str] = set()

    def offset(self, line: int, column_in_bytes: int) -> int:
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column_in_bytes].decode())

    def rewritten(self) -> str:
        spans = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                spans.append(self.import_from(node))
            elif isinstance(node, ast.Import):
                spans.append(self.plain_import(node))
        self.renames()
        self.dotted_uses()
        self.tokens()
        text = self.text
        for start, end, new in sorted(self.edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def import_from(self, node: ast.ImportFrom) -> None:
        base = node.module
        if base not in MODULES:
            return
        groups: dict[str, list[str]] = defaultdict(list)
        changed = False
        for each in node.names:
            whole = f"{base}.{each.name}"
            if whole in MODULES and new_name(whole) != whole:
                target, _, name = new_name(whole).rpartition(".")
                if name != each.name and not each.asname:
                    self.renamed[each.name] = name
                groups[target].append(name + (f" as {each.asname}" if each.asname else ""))
                changed = True
            elif base in DISSOLVED:
                notes.append(f"{self.file}:{node.lineno}: {each.name} of {base}")
            else:
                groups[new_name(base)].append(each.name + (f" as {each.asname}" if each.asname else ""))
                changed |= new_name(base) != base
        if not changed:
            return
        start, end = self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)
        rest_of_line = self.lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode().rstrip("\n")
        indent = " " * node.col_offset
        statements = [
            f"from {target} import {', '.join(names)}" if target else f"import {', '.join(names)}"
            for target, names in groups.items()
        ]
        comment = rest_of_line if rest_of_line.strip().startswith("#") else ""
        if "\n" in self.text[start:end] and "#" in self.text[start:end]:
            notes.append(f"{self.file}:{node.lineno}: a comment within an import")
        self.edits.append((start, end, f"{comment}\n{indent}".join(statements)))

    def plain_import(self, node: ast.Import) -> None:
        for each in node.names:
            if each.name in MODULES and new_name(each.name) != each.name:
                self.plain.add(each.name)
                if len(node.names) > 1:
                    notes.append(f"{self.file}:{node.lineno}: several names in one import")
                start = self.offset(each.lineno, each.col_offset)
                self.edits.append((start, start + len(each.name), new_name(each.name)))

    def dotted_uses(self) -> None:
        """`import a.b.c` is used by its whole name."""
        if not self.plain:
            return
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute):
                name = ast.unparse(node)
                if name in self.plain:
                    start = self.offset(node.lineno, node.col_offset)
                    if self.text[start : start + len(name)] != name:
                        notes.append(f"{self.file}:{node.lineno}: {name} is written otherwise")
                        continue
                    self.edits.append((start, start + len(name), new_name(name)))

    def renames(self) -> None:
        """Uses of modules that get another name."""
        if not self.renamed:
            return
        bound = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.arg):
                bound.add(node.arg)
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                bound.add(node.id)
        for old, new in self.renamed.items():
            if old in bound or new in bound:
                notes.append(f"{self.file}: {old} -> {new}: the file has a variable of that name")
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and node.id in self.renamed:
                start = self.offset(node.lineno, node.col_offset)
                self.edits.append((start, start + len(node.id), self.renamed[node.id]))

    def tokens(self) -> None:
        if self.file in NAMED_AS_THEY_ARE:
            return
        migration = "/migrations/" in self.file
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and not migration):
                start = self.starts[token.start[0] - 1] + token.start[1]
                new = text_rewritten(token.string, f"{self.file}:{token.start[0]}")
                if new != token.string:
                    self.edits.append((start, start + len(token.string), new))


def main() -> None:
    written: dict[str, str] = {}
    for file in FILES:
        path = ROOT / file
        if path.is_symlink():
            continue
        if file.endswith(".py"):
            written[file] = Source(file).rewritten()
        elif path.suffix in TEXTS:
            try:
                text = path.read_text()
            except UnicodeDecodeError:
                continue
            if file == "CHANGELOG.md":
                continue  # tells of the past
            new = text_rewritten(text, file)
            written[file] = filled(sorted_imports(new), text) if path.suffix == ".md" else new
    targets = {}
    for file in FILES:
        if file == "commerce/kit/core/__init__.py":
            (ROOT / file).unlink()
            continue
        target = new_path(file)
        assert target not in targets, (file, targets[target], target)
        targets[target] = file
    aside = ROOT / ".moving"
    for target, file in targets.items():
        if file in written and written[file] != (ROOT / file).read_text():
            (ROOT / file).write_text(written[file])
        if target != file:
            (aside / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(ROOT / file, aside / target)
    for target, file in targets.items():
        if target != file:
            (ROOT / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(aside / target, ROOT / target)
    shutil.rmtree(aside, ignore_errors=True)
    rooms = dict(line.split("\t") for line in (HERE / "rooms.tsv").read_text().splitlines() if line)
    for target in targets:
        folder = (ROOT / target).parent
        while target.endswith(".py") and folder != ROOT and IS_PACKAGE.match(str(folder.relative_to(ROOT))):
            if not (folder / "__init__.py").exists():
                said = rooms.get(str(folder.relative_to(ROOT)), "")
                (folder / "__init__.py").write_text(f'"""{said}"""\n' if said else "")
                if not said and STAGE == "code":
                    notes.append(f"{folder.relative_to(ROOT)}: a package without a sentence in rooms.tsv")
            folder = folder.parent
    for folder in sorted({str(Path(file).parent) for file in FILES}, key=len, reverse=True):
        there = ROOT / folder
        while there != ROOT and there.exists():
            for cache in there.rglob("__pycache__"):
                shutil.rmtree(cache, ignore_errors=True)
            if any(there.iterdir()):
                break
            there.rmdir()
            there = there.parent
    by_hand()
    for command in (["check", "--fix", "--fixable", "I001,RUF100", "--quiet"], ["format", "--quiet"]):
        subprocess.run(
            [ROOT / ".venv/bin/ruff", *command, "--exclude", "move"], cwd=ROOT, check=False, stdout=subprocess.DEVNULL
        )
    for target in [*targets, *("commerce/settings.py",)]:
        if target.endswith(".py") and (ROOT / target).exists():
            text = (ROOT / target).read_text()
            if any(len(line) > WIDTH for line in text.splitlines()):
                (ROOT / target).write_text(wrapped(text))
    print("\n".join(notes))


IS_PACKAGE = re.compile(
    r"^(commerce|orders|payments|giftcards|fulfillment|carts|catalog|customers|apikeys|kit|auth|staff|shop|pictures|tests)(/|$)"
)


WIDTH = 120


def wrapped(text: str) -> str:
    """Docstrings whose lines became too long: paragraphs are filled again, a second sentence leaves the first line."""
    lines = text.splitlines()
    number = 0
    in_docstring = False
    while number < len(lines):
        line = lines[number]
        quotes = line.count('"""')
        indent = line[: len(line) - len(line.lstrip())]
        if len(line) > WIDTH and quotes == 2 and line.strip().startswith('"""') and line.endswith('"""'):
            first, dot, rest = line.strip().strip('"').partition(". ")
            if dot and not first.endswith("e.g"):
                more = textwrap.wrap(
                    rest, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
                )
                lines[number : number + 1] = [f'{indent}"""{first}.', "", *more, f'{indent}"""']
        elif len(line) > WIDTH and in_docstring and not quotes:
            end = number + 1
            while end < len(lines) and lines[end].startswith(indent) and lines[end][len(indent) :][:1].strip():
                if (
                    '"""' in lines[end]
                    or re.match(r"[a-z_]+: ", lines[end].strip())
                    or lines[end].strip().startswith("- ")
                ):
                    break
                end += 1
            deeper = indent
            if end < len(lines) and end == number + 1 and lines[end].startswith(indent + "    "):
                end, deeper = end + 1, indent + "    "
            words = " ".join(each.strip() for each in lines[number:end])
            lines[number:end] = textwrap.wrap(
                words,
                WIDTH,
                initial_indent=indent,
                subsequent_indent=deeper,
                break_on_hyphens=False,
                break_long_words=False,
            )
        if quotes % 2:
            in_docstring = not in_docstring
        number += 1
    return "\n".join(lines) + "\n"


def sorted_imports(text: str) -> str:
    """Imports of ours in examples, in isort's order again."""
    one = re.compile(
        rf"^ *from (?:{'|'.join([*ROOTS, 'kit', 'auth', 'staff', 'shop', 'pictures'])})[. ].*import [^(]+$"
    )
    lines, number = text.split("\n"), 0
    while number < len(lines):
        end = number
        while end < len(lines) and one.match(lines[end]):
            end += 1
        lines[number:end] = sorted(lines[number:end], key=lambda line: line.split()[1])
        number = end + 1
    return "\n".join(lines)


def filled(new: str, old: str) -> str:
    """Markdown whose paragraphs are filled again where a line became too long."""
    lines, known = new.split("\n"), set(old.split("\n"))
    number, is_code = 0, False
    while number < len(lines):
        line = lines[number]
        if line.strip().startswith("```"):
            is_code = not is_code
        if (
            len(line) <= WIDTH
            or line in known
            or is_code
            or line.lstrip().startswith(("|", "#", "<", "!["))
            or line.startswith("    ")
        ):
            number += 1
            continue
        start = number
        while (
            start
            and lines[start - 1].strip()
            and not BULLET.match(lines[start])
            and not lines[start - 1].startswith(("|", "```", "#"))
        ):
            start -= 1
        end = number + 1
        while (
            end < len(lines)
            and lines[end].strip()
            and not BULLET.match(lines[end])
            and not lines[end].startswith(("|", "```", "#"))
        ):
            end += 1
        bullet = BULLET.match(lines[start])
        indent = " " * len(bullet[0] if bullet else "")
        if bullet:
            words = lines[start][len(bullet[0]) :] + " " + " ".join(each.strip() for each in lines[start + 1 : end])
        else:
            words = " ".join(each.strip() for each in lines[start:end])
        lines[start:end] = textwrap.wrap(
            words.strip(),
            WIDTH,
            initial_indent=bullet[0] if bullet else "",
            subsequent_indent=indent,
            break_on_hyphens=False,
            break_long_words=False,
        )
        number = start
        while number < len(lines) and lines[number].strip() and not (number > start and BULLET.match(lines[number])):
            number += 1
    return "\n".join(lines)


BULLET = re.compile(r"^ *(?:[-*]|\d+\.) +")


def by_hand() -> None:
    """What no rule covers: exact texts that must be there, whole new files, and the contracts."""
    rules = HERE / f"by_hand_{STAGE}.py"
    for file, old, new in ast.literal_eval(rules.read_text()) if rules.exists() else []:
        path = ROOT / file
        if old is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(new)
        elif old not in path.read_text():
            notes.append(f"{file}: by hand: the text is not there: {old[:60]!r}")
        else:
            path.write_text(path.read_text().replace(old, new))
    if (HERE / f"files_{STAGE}").exists():
        shutil.copytree(HERE / f"files_{STAGE}", ROOT, dirs_exist_ok=True)
    if STAGE == "code":
        project = (ROOT / "pyproject.toml").read_text()
        start, end = project.index("# Who may import whom."), project.index("[tool.ruff]")
        contracts = (HERE / "contracts.toml").read_text()
        (ROOT / "pyproject.toml").write_text(f"{project[:start]}{contracts}\n{project[end:]}")


main()
