"""Background tasks in Redis, where TASKS_IN_REDIS is set.

Redis carries a task from the commit that caused it to the thread that runs it. From then on it is a row of the table of
tasks, like all others: so its result, Retry, the metrics and the recovery of lost tasks are the same. Import this only
where TASKS_IN_REDIS is set, since its library is an extra.
"""
