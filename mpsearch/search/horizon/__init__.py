"""Tree search that knows how far its opponents look."""
