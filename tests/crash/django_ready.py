"""What a process that others are forked from imports before anything that holds models, so that they need not."""

import gc

import django
from django.urls import resolve

gc.disable()  # as in commerce/wsgi.py
django.setup()
resolve("/health/live")  # imports every route
gc.enable()
gc.freeze()
