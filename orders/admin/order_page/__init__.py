"""The page of one order: what, to whom, paid how, and what happened when and by whom."""
