"""What an execution of a program showed of its graph."""
