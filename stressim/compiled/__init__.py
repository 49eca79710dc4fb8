"""What the kernels of all families share. Nothing here knows a rule."""
