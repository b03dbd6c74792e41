"""The interface of tax providers, and loading those named in settings."""
