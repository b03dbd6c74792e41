"""Texts with placeholders in braces, read from the environment: pages of the storefront, and numbers of orders."""

import re
from collections.abc import Collection, Mapping
from itertools import product
from string import Formatter

from django.core.exceptions import ImproperlyConfigured

from kit.environment.typed_environment import Environment, is_http_url

_LARGEST_NUMBER = 2**63 - 1


def page(env: Environment, name: str, default: str = "", *, placeholders: Collection[str], needed: str = "") -> str:
    """A URL, or a path that begins with a slash; may be empty.

    placeholders: the names that may stand in braces. needed: the one without which the link leads nowhere.
    Raises ImproperlyConfigured.
    """
    text = env.str(name, default)
    if not text:
        return text
    if not text.startswith("/") and not is_http_url(re.sub(r"\{\w*\}", "x", text)):
        raise ImproperlyConfigured(f"{name} must be a URL, or a path that begins with /, not '{text}'.")
    wrong = [found for found in re.findall(r"\{[^{}]*\}?|\}", text) if found[1:-1] not in placeholders]
    if wrong or (needed and f"{{{needed}}}" not in text):
        problem = f"has {wrong[0]}" if wrong else f"lacks {{{needed}}}"
        allowed = " and ".join(f"{{{placeholder}}}" for placeholder in placeholders)
        raise ImproperlyConfigured(f"{name} {problem}: {allowed} can be used in it, as in '{default or _RESET}'.")
    return text


def number_format(env: Environment, name: str, *, longest: int) -> str:
    """How a number is shown, such as `W-{number:06}`; may be empty.

    longest: the most characters that it may give. Raises ImproperlyConfigured.
    """
    text = env.str(name)
    if text and not _is_distinct(text, {}, longest=longest):
        raise ImproperlyConfigured(
            f"{name} must have {{number}} as its only placeholder, show each number differently, and give at most "
            f"{longest} characters for the largest, as W-{{number:06}} does; '{text}' does not."
        )
    return text


def series_format(env: Environment, name: str, default: str, *, longest: int) -> str:
    """How a number that starts again each year is shown, such as `R-{year}-{number:06}`; else as number_format."""
    text = env.str(name, default)
    if not _is_distinct(text, {"year": (2026, 2027)}, longest=longest):
        raise ImproperlyConfigured(
            f"{name} must have {{year}} and {{number}} as its only placeholders, show each year and number "
            f"differently, and give at most {longest} characters for the largest, as {default} does; '{text}' does not."
        )
    return text


def _is_distinct(text: str, others: Mapping[str, Collection[int]], *, longest: int) -> bool:
    """Whether the format has `number` and the other placeholders, and shows their values differently."""
    values = {**others, "number": (_LARGEST_NUMBER, _LARGEST_NUMBER - 1)}
    try:
        fields = {field for _, field, _, _ in Formatter().parse(text) if field is not None}
        wanted = [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
        shown = {text.format(**each) for each in wanted} if fields == set(values) else set()
    except Exception:  # noqa: BLE001 - formatting may raise anything
        return False
    return len(shown) == 2 ** len(values) and max(map(len, shown)) <= longest


_RESET = "https://www.shop.example/password?token={token}"
