"""The default roles of staff (Django groups), for `manage.py setup_roles`."""
