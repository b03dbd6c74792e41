"""Stock locations, and how goods are shipped from them, as programs maintain both."""
