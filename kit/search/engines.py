"""Search engines that answer `q` in place of the database, such as OpenSearch or Meilisearch.

SEARCH_ENGINES names a class for a model. It returns ids; which of these rows the caller may see, the other filters, the
order and the count remain the database's.
"""

import logging
from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Any

from django.conf import settings
from django.db.models import Model
from django.utils.module_loading import import_string

from kit.values.text import is_storable

MOST = 1000
"""Of what an engine returns, the first ids that count."""

_log = logging.getLogger(__name__)


class SearchEngine:
    """Subclass it, and name the class in a setting. One instance serves all threads of a process."""

    def find(self, words: tuple[str, ...]) -> Iterable[str]:
        """The ids of the rows in which all words are found, the best first.

        words: in lower case, without accents and apostrophes. It is called in a request, so it sets a time-out of its
        own. Whatever it raises is logged, and the database answers, as it does for anything returned that is no id.
        """
        raise NotImplementedError


def found_by_engine(model: type[Model], words: tuple[str, ...]) -> tuple[str, ...] | None:
    """What the model's engine finds; None where the database answers."""
    name = settings.SEARCH_ENGINES.get(model._meta.label_lower)
    if not name:
        return None
    try:
        return tuple(_checked(each) for each in islice(_engine(name).find(words), MOST))
    except Exception:  # noqa: BLE001 - an engine may raise anything
        _log.exception("%s failed: the database answers", name)
        return None


def _checked(key: object) -> str:
    """Whole hits in place of their ids would find nothing, and nobody would see why."""
    if isinstance(key, str) and is_storable(key):
        return key
    raise ValueError(f"{key!r} is not an id")


@cache
def _engine(name: str) -> Any:
    return import_string(name)()
