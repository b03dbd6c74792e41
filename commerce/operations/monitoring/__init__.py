"""Health, metrics, ages of queues."""
