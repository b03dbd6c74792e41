"""A small library to select from: books have an author and chapters, authors have books.

A print run brings its format along, and a format its paper.
"""

from kit.query.selection import Selection
from kit.reads.filters.field_sets import FieldSet, Shape

book = Shape(
    scalars=("id", "title", "pages", "stock"),
    relations={"author": lambda: author, "chapters": lambda: chapter},
    by_request=frozenset({"stock"}),
)
author = Shape(scalars=("id", "name", "born"), relations={"books": lambda: book})
chapter = Shape(scalars=("id", "heading"), relations={"book": lambda: book})

BOOKS = FieldSet(book, defaults="*author")

print_run = Shape(
    scalars=("id", "copies", "cost"),
    relations={"format": lambda: paper_format, "book": lambda: book, "next": lambda: print_run},
    by_request=frozenset({"cost"}),
    along=("format",),
)
paper_format = Shape(
    scalars=("id", "name", "weight"),
    relations={"paper": lambda: paper, "runs": lambda: print_run},
    by_request=frozenset({"weight"}),
    along=("paper",),
)
paper = Shape(scalars=("id", "colour"), relations={"runs": lambda: print_run})

RUNS = FieldSet(lambda: print_run, defaults="*next")


def outline(selection: Selection) -> str:
    """The selection in one line: `id title author(id name)`."""
    below = [f"{name}({outline(selected)})" for name, selected in selection.relations]
    return " ".join([*selection.scalars, *below])
