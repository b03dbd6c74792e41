"""What staff maintain: sets, zones, options, their rules."""
