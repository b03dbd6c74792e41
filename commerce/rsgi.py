"""The server's entry: `granian --interface rsgi commerce.rsgi:application`, or what `manage.py serve` runs.

COMMERCE_APPLICATION names another WSGI callable to run behind the front, as `module:name`; tests use it.
"""

import os
from importlib import import_module

from commerce.operations.server.parent_process import end_with_parent

end_with_parent()  # before the shop is loaded, which takes a second
_module, _, _name = os.environ.get("COMMERCE_APPLICATION", "commerce.wsgi:application").partition(":")
_wsgi = getattr(import_module(_module), _name)  # comes first, since it sets Django up
application = import_module("commerce.operations.server.front_settings").fronted(_wsgi)
