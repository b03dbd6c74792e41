"""A small library to select from: books have an author and chapters, authors have books."""

from commerce.core.selection import FieldSet, Selection, Shape

book = Shape(
    scalars=("id", "title", "pages", "stock"),
    relations={"author": lambda: author, "chapters": lambda: chapter},
    by_request=frozenset({"stock"}),
)
author = Shape(scalars=("id", "name", "born"), relations={"books": lambda: book})
chapter = Shape(scalars=("id", "heading"), relations={"book": lambda: book})

BOOKS = FieldSet(book, defaults="*author")


def outline(selection: Selection) -> str:
    """The selection in one line: `id title author(id name)`."""
    below = [f"{name}({outline(selected)})" for name, selected in selection.relations]
    return " ".join([*selection.scalars, *below])
