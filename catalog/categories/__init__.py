"""Categories: their details, and the tree that they form."""
