"""What settings read from the environment. Never imports django.conf."""
