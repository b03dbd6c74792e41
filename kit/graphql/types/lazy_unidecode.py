"""Keeps text_unidecode out of the process.

graphene-django imports it to name enum values, and its table takes 5 MB of each process. The shop's names are ASCII, so
the stand-in loads the real module only for other texts.
"""

import sys
from importlib import import_module
from types import ModuleType

_NAME = "text_unidecode"
_stand_in = ModuleType(_NAME, "Imports the real module for a text that is not ASCII.")


def install() -> None:
    """Put the stand-in in the place of the module, unless that is loaded."""
    vars(_stand_in)["unidecode"] = _unidecode
    sys.modules.setdefault(_NAME, _stand_in)


def _unidecode(text: str) -> str:
    if text.isascii():
        return text
    if sys.modules[_NAME] is _stand_in:
        del sys.modules[_NAME]
    return str(import_module(_NAME).unidecode(text))
