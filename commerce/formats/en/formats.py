"""In the place of Django's own, which are American: Nov. 27, 2026, 2:05 p.m."""

DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y, H:i"
