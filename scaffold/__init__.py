"""The application around the judge engine: the `scaffold` command and its generators."""
