"""Background jobs of staff, in turns of a few seconds, and the names of task queues."""
