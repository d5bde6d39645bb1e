"""Pictures of every page of the gallery, to be compared before and after a change."""
