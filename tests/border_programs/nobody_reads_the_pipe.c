//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "\n"
// Whether a stream fails depends on when the C library writes.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    signal(SIGPIPE, SIG_IGN);
    if (pipe(ends) != 0)
        return 1;
    close(ends[0]);
    FILE *out = fdopen(ends[1], "w");
    setvbuf(out, NULL, _IOLBF, 1024);
    int c = getchar();
    if (c == EOF)
        return 1;
    fputc(c, out);
    if (ferror(out))
        abort(); // fails here
    return 0;
}
