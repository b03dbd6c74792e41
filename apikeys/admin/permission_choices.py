"""Permissions as people read them: grouped by app, in words."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from django.contrib.auth.models import Permission
from django.db.models import QuerySet

from staff.delegation import permissions_of
from staff.models import User
from staff.permission_names import app_and_words

Choice = tuple[str, str]


def permission_choices(creator: User) -> list[tuple[str, list[Choice]]]:
    """What a key of the user can be limited to: by the app's name, each permission and its words.

    Only permissions about rows that programs can read or change, which are those with `visible_to`.
    """
    groups = groupby(sorted(_useful(permissions_of(creator))), key=lambda each: each[0])
    return [(app, [(name, words) for _, words, name in group]) for app, group in groups]


def described(names: Iterable[str]) -> str:
    """The permissions in words, a line for each app: `Payments: add capture, add refund`. Unknown ones as they are."""
    chosen = set(names)
    known = {name: (app, words) for app, words, name in _useful(Permission.objects.all()) if name in chosen}
    lines = groupby(sorted(known.values()), key=lambda each: each[0])
    read = [f"{app}: {', '.join(words.lower() for _, words in group)}" for app, group in lines]
    return "\n".join([*read, *sorted(chosen - known.keys())])


def _useful(permissions: QuerySet[Permission]) -> Iterator[tuple[str, str, str]]:
    """The app's name, the permission's words, and its name."""
    for each in permissions.select_related("content_type"):
        model = each.content_type.model_class()
        if model is not None and hasattr(model._default_manager, "visible_to"):
            yield *app_and_words(each), f"{each.content_type.app_label}.{each.codename}"
