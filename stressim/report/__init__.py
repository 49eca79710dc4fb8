"""Pictures, and studies that make tables, figures and pages from a file of questions."""
