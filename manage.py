#!/usr/bin/env python
"""Django's command line."""

import gc
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import Error

if __name__ == "__main__":
    gc.set_threshold(50_000)  # collecting garbage during imports took a sixth of each start
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "commerce.settings")
    try:
        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:  # before a command of ours has begun, or in one of Django's
        sys.stderr.write("\nInterrupted: uncommitted changes were rolled back; you can run the command again.\n")
        sys.exit(130)
    except ImproperlyConfigured as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(str(error))
    except Error:
        from commerce.operations.checks.database_check import unreachable_database  # its settings are right

        if "--traceback" in sys.argv or not (fault := unreachable_database()):
            raise
        sys.exit(fault)
