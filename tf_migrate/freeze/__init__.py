"""Checkpoints and SavedModels as one frozen `GraphDef`: the command `freeze`."""
