// A reader of events from a stream.
#include <stdio.h>

enum event { END, WORD, LIST };

struct reader {
    FILE *stream;
};

void reader_open(struct reader *reader, FILE *stream);
enum event reader_next(struct reader *reader);
