"""What a process that others are forked from imports before anything that holds models, so that they need not."""

import django
from django.urls import resolve

django.setup()
resolve("/health/live")  # imports every route
