"""What the user meets: configuration, the terminal, `explain`, and the commands that read a tree."""
