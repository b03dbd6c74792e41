"""Shop files as streams: loading and dumping."""
