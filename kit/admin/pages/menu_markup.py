"""The menu as HTML. Every page has its fifty entries: a template takes several times as long."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.html import escape

_HEADING = (
    "font-semibold flex flex-row group items-center mb-1 mx-3 py-1.5 px-3 select-none text-font-important-light "
    "text-sm dark:text-font-important-dark"
)
_SUMMARY = (
    "cursor-pointer flex items-center mx-3 px-3 rounded-default select-none text-sm hover:text-primary-600 "
    "dark:hover:text-primary-500"
)
_LINK = "flex h-[38px] items-center -mx-3 px-3 rounded-default hover:text-primary-600 dark:hover:text-primary-500"
_PRESENT = " active bg-base-100 font-semibold text-primary-600 dark:bg-white/[.06] dark:text-primary-500"
_ICON = '<span class="material-symbols-outlined md-18 {}" aria-hidden="true">{}</span>'
_ARROW = _ICON.format("fold ml-auto", "chevron_right")

Item = Mapping[str, Any]


def section_markup(title: str, daily: Sequence[Item], rare: Sequence[Item]) -> str:
    """The items under the title, and those behind More; without daily ones, the title opens the others."""
    heading = f'<h2 class="{_HEADING}">{escape(title)}</h2>' if title and daily else ""
    return f"{heading}{_listed(daily)}{_folded(title, rare, has_heading=bool(daily))}"


def _folded(title: str, items: Sequence[Item], *, has_heading: bool) -> str:
    if not items:
        return ""
    state = " open" if any(item["active"] for item in items) else ""
    if has_heading:
        name, classes = f' aria-label="More: {escape(title)}"', f"h-[38px] {_SUMMARY}"
        words = f"{_ICON.format('mr-3 w-[18px]', 'more_horiz')}<span>More</span>"
    else:
        name, classes = "", f"font-semibold py-1.5 text-font-important-light dark:text-font-important-dark {_SUMMARY}"
        words = f"<span>{escape(title)}</span>"
    return f'<details{state}><summary class="{classes}"{name}>{words}{_ARROW}</summary>{_listed(items)}</details>'


def _listed(items: Sequence[Item]) -> str:
    if not items:
        return ""
    return f'<ol class="flex flex-col gap-0.5 px-6">{"".join(map(_item, items))}</ol>'


def _item(item: Item) -> str:
    present, current = (_PRESENT, ' aria-current="page"') if item["active"] else ("", "")
    icon = _ICON.format("mr-3 w-[18px]", item["icon"])
    title = escape(item["title"])
    return f'<li><a href="{item["link"]}" class="{_LINK}{present}"{current}>{icon}<span>{title}</span></a></li>'
