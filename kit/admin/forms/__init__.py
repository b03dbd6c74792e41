"""Forms, fields and widgets of the admin site."""
