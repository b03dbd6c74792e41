"""Publishable keys of storefronts and secret keys of programs."""
