"""Nothing in here is a test: the files are read, never run."""

collect_ignore_glob = ["*"]
