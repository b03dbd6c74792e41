"""REST: the way of a request from its checks to its response."""
