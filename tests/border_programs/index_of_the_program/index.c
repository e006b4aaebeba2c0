// Where a square of the board is.
int index(int rank, int file) { return rank * 8 + file; }
