"""The layer between the socket and the threads: collects bodies and queues requests before they take a thread."""
