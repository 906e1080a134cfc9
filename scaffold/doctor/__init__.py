"""What `scaffold doctor` looks at: the project, its models and keys, the programs that it needs."""
