"""What a process has to import before anything that holds models."""

import django

django.setup()
