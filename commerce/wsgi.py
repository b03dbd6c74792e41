"""The shop as a WSGI callable, which commerce/rsgi.py serves behind the front."""

import gc
import os

from django.core.cache import close_caches
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, reset_queries
from django.urls import resolve

gc.set_threshold(50_000)  # collecting garbage during imports took a sixth of the start
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "commerce.settings")
os.environ["COMMERCE_ANSWERS_REQUESTS"] = "on"  # the settings limit the time of its statements
application = get_wsgi_application()
del os.environ["COMMERCE_ANSWERS_REQUESTS"]  # a process that this one starts may be a command, which has no limit
# What has nothing to do at every request: Django's caches hold nothing, statements are not recorded, and connections
# have been looked at when the request before ended.
request_started.disconnect(reset_queries)
request_started.disconnect(close_old_connections)
request_finished.disconnect(close_caches)
resolve("/health/live")  # imports every route now: a broken one stops the start, and no request waits for imports
gc.collect()
gc.freeze()  # collecting garbage among objects that stay took 2 to 10 % of all CPU
gc.set_threshold(20_000, 1, 1)  # one page makes several times the default of 700 objects
