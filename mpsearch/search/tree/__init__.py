"""Tree search: alpha-beta over any social matrix, with iterative deepening and move ordering."""
