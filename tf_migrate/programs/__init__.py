"""Modules that run as one program, and become native together or not at all."""
