"""How fast searches are, what each technique is worth, and where the time goes."""
