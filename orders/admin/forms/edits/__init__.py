"""The forms by which staff edit placed orders."""
