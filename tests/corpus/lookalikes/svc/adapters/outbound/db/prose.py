"""Select rows that wait for update with status = 'PENDING' from the task table, limit 10 for update."""
MESSAGE = "Please select a task from the list to update"
HINT = "the status is PENDING"
