"""HTML of descriptions from files of strangers: a storefront may show it as it is."""

import re

import nh3

_TAG = re.compile(r"<[A-Za-z/!?]")


def sanitised(text: str) -> str:
    """The text without elements and attributes that run scripts; a text without elements as it is: `Salt & Pepper`."""
    return nh3.clean(text) if _TAG.search(text) else text
