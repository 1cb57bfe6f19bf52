"""Go Fish: in nearly every turn the mover can take cards from others."""
