"""What stands between the socket and the threads: bodies are collected and requests queued before a thread is taken."""
