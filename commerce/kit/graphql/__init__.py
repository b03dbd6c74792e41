"""GraphQL made from the resources that REST's routes are made from."""

import sys
from importlib import import_module
from types import ModuleType

# By its table, which takes 5 MB of each process, graphene-django spells names of enums; the shop's are plain already.
_WITH_A_TABLE = "text_unidecode"
_stand_in = ModuleType(_WITH_A_TABLE, "Imports the module for a text that is not ASCII.")


def _unidecode(text: str) -> str:
    if text.isascii():
        return text
    if sys.modules[_WITH_A_TABLE] is _stand_in:
        del sys.modules[_WITH_A_TABLE]
    return str(import_module(_WITH_A_TABLE).unidecode(text))


vars(_stand_in)["unidecode"] = _unidecode
sys.modules.setdefault(_WITH_A_TABLE, _stand_in)
