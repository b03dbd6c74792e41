"""The shop as a WSGI callable, which commerce/rsgi.py serves behind the front."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import resolve

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "commerce.settings")
os.environ["COMMERCE_ANSWERS_REQUESTS"] = "on"  # the settings limit the time of its statements
application = get_wsgi_application()
del os.environ["COMMERCE_ANSWERS_REQUESTS"]  # a process that this one starts may be a command, which has no limit
resolve("/health/live")  # imports every route now: a broken one stops the start, and no request waits for imports
gc.collect()
gc.freeze()  # collecting garbage among objects that stay took 2 to 10 % of all CPU
