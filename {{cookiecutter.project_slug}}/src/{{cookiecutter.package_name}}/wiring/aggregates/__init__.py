"""One module per aggregate, each exporting `AGGREGATE`."""
