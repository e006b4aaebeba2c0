/* Input through zlib, which reads plain files as well. */
/* Link: -lz */
#include <zlib.h>

/* file: gzopen, gzread */
static size_t by_gzread(char *s, size_t most, char **argv)
{
    gzFile f = gzopen(argv[1], "rb");
    int n = f ? gzread(f, s, (unsigned)most) : 0;
    if (f)
        gzclose(f);
    return n > 0 ? (size_t)n : 0;
}

/* stdin: gzdopen */
static size_t by_gzdopen(char *s, size_t most, char **argv)
{
    gzFile f = gzdopen(0, "rb");
    int n = f ? gzread(f, s, (unsigned)most) : 0;
    (void)argv;
    if (f)
        gzclose(f);
    return n > 0 ? (size_t)n : 0;
}
