"""What all learned models share: boosted trees, features beside their names, and the file format."""
