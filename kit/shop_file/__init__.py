"""Shop files: sections, their values, and the rows that they become."""
