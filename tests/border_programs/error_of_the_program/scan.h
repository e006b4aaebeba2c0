// How far a text was scanned, and what was wrong with it.
struct scan {
    int position, severity;
};

void error(struct scan *scan, int character);
