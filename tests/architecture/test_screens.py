"""Screens of the admin site stay shallow: few classes of ours, and each of Django's hooks overridden at most twice."""

from collections.abc import Iterator

import pytest
from django.contrib.admin import ModelAdmin

from kit.admin.base_admin import BaseAdmin
from tests.kit.admin.pages import every_screen

pytestmark = pytest.mark.once

MOST_CLASSES = 6
MOST_OVERRIDES = 2
HOOKS = frozenset(
    name for name in dir(ModelAdmin) if callable(getattr(ModelAdmin, name)) and not name.startswith("__")
) - {"save_model"}  # the base, the verbs and the soft deletion each have their own part of it
LIBRARIES = frozenset({"django", "unfold", "typing", "builtins"})


def own_classes(screen: BaseAdmin) -> list[type]:
    return [each for each in type(screen).__mro__ if each.__module__.partition(".")[0] not in LIBRARIES]


def faults(screen: BaseAdmin) -> Iterator[str]:
    own = own_classes(screen)
    if len(own) > MOST_CLASSES:
        yield f"{len(own)} classes: {', '.join(each.__name__ for each in own)}"
    for hook in sorted(HOOKS):
        overriding = [each.__name__ for each in own if hook in vars(each)]
        if len(overriding) > MOST_OVERRIDES:
            yield f"{hook} is overridden in {', '.join(overriding)}"


def test_screens_are_shallow() -> None:
    found = {model._meta.label: list(faults(screen)) for model, screen in every_screen()}
    assert len(found) > 45
    assert {label: each for label, each in found.items() if each} == {}


def test_a_deep_screen_is_found() -> None:
    base: type = BaseAdmin
    for depth in range(MOST_CLASSES):
        base = type(f"Depth{depth}", (base,), {"__module__": __name__, "get_queryset": lambda self, request: None})
    deep = list(faults(base.__new__(base)))
    assert deep[0].startswith("7 classes: Depth5, ")
    assert deep[1].startswith("get_queryset is overridden in Depth5, Depth4, Depth3, ")
