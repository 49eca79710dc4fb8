"""The designer's workbench: rule sets and players set against each other on the same deals."""
