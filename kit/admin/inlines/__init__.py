"""Tables of a row's parts on its page."""
