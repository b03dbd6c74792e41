"""Machinery that knows no shop: any Django project with an API could use it."""
