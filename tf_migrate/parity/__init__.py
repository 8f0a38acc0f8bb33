"""Does the migrated program compute what the original did? Runs both and compares the numbers."""
