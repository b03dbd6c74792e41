"""Work on many orders from their list: the actions, the pages that ask, and the form of tracking numbers."""
