"""The interface of tax providers, and the code that settings name."""
