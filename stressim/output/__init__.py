"""How a result is said: sentences and a table for people, JSON, CSV and markdown for programs, pictures."""
