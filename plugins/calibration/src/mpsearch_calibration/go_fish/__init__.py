"""Go Fish: nearly every turn somebody can be robbed."""
