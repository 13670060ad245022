"""The rules, one class and one file each; a file dropped in here, or into a team's `rules_local/`, is found by itself."""
