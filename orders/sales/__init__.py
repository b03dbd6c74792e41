"""What was sold: orders that are not canceled, as they were placed, whatever was returned or refunded since."""
