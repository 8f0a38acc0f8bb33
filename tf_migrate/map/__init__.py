"""What the analysis knows of a program without running it."""
