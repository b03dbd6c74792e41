"""The background process: its threads and schedules, and tasks that failed or were lost."""
