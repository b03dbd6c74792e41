"""The server's entry: `granian --interface wsgi commerce.wsgi:application`, or what `manage.py serve` runs."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "commerce.settings")
application = get_wsgi_application()
