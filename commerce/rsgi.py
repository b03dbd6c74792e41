"""The server's entry: `granian --interface rsgi commerce.rsgi:application`, or what `manage.py serve` runs.

COMMERCE_APPLICATION names another WSGI callable to stand behind the front, as `module:name`; tests do so.
"""

import os
from importlib import import_module

_module, _, _name = os.environ.get("COMMERCE_APPLICATION", "commerce.wsgi:application").partition(":")
_wsgi = getattr(import_module(_module), _name)  # first of all: it sets Django up
application = import_module("commerce.operations.fronting").fronted(_wsgi)
