"""Tests of users: each is a small program by itself, read in parts like a script, or moved whole into one function."""
