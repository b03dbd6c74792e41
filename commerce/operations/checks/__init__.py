"""What manage.py check and the start of a server look at."""
