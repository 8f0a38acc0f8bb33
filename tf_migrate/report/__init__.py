"""What a run of tf-migrate found and did, and the formats it can be written in."""
