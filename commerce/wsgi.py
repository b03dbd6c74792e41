"""The shop as a WSGI callable, which commerce/rsgi.py serves behind the front."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import resolve

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "commerce.settings")
os.environ["COMMERCE_ANSWERS_REQUESTS"] = "on"  # settings bound the time of its statements, and of no command's
application = get_wsgi_application()
resolve("/health/live")  # imports every route now: a broken one ends the start, and no caller waits for it
gc.collect()
gc.freeze()  # what is there now stays: looking through it again and again for garbage took 2 to 10 % of all CPU
