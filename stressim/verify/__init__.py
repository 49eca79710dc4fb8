"""The simulator held against all that is known exactly, with one significance level for all checks together."""
