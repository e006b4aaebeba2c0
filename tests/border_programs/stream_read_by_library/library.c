// The reader: it takes characters from the stream by itself.
#include "library.h"

void reader_open(struct reader *reader, FILE *stream) { reader->stream = stream; }

enum event reader_next(struct reader *reader)
{
    int c = fgetc(reader->stream);
    if (c == EOF)
        return END;
    return c == '[' ? LIST : WORD;
}
