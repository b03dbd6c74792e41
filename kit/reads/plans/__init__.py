"""How a selection becomes statements, and rows become answers."""
