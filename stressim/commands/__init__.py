"""The commands of ``stressim``, a module each; a module is imported when its command runs."""
