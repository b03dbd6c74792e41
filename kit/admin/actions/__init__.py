"""Actions of staff on rows: buttons, confirmations, bulk jobs, tickets against acting twice."""
