/* zlib. */
/* Link: -lz */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* crc32 */
static long checksum(char *s, size_t n)
{
    return (long)(crc32(0, (const Bytef *)s, (uInt)n) & 0xffff);
}

/* adler32 */
static long adler(char *s, size_t n)
{
    return (long)adler32(1, (const Bytef *)s, (uInt)n);
}

/* crc32_combine */
static long combined(long v)
{
    return (long)(crc32_combine((uLong)(v & 0xff), 0x1234, 4) & 0xff);
}

/* compress, uncompress */
static size_t packed_and_unpacked(char *s, size_t n)
{
    Bytef packed[200], out[80];
    uLongf m = sizeof packed, k = sizeof out;
    if (compress(packed, &m, (const Bytef *)s, (uLong)n) != Z_OK)
        return n;
    if (uncompress(out, &k, packed, m) != Z_OK)
        return 0;
    memcpy(s, out, k);
    s[k] = '\0';
    return k;
}

/* compress2, compressBound */
static long packed_length(char *s, size_t n)
{
    Bytef text[96], packed[300];
    uLongf m = sizeof packed;
    size_t i;
    for (i = 0; i < 64; i++)
        text[i] = n ? (Bytef)(s[i % n] & (i < 32 ? 15 : 255)) : 0;
    if (compressBound(64) > m || compress2(packed, &m, text, 64, 9) != Z_OK)
        return -1;
    return (long)m;
}

/* uncompress */
static long unpacked_input(char *s, size_t n)
{
    static const Bytef good[] = {0x78, 0x9c, 0x4b, 0x04, 0x00, 0x00, 0x62, 0x00, 0x62};
    Bytef in[16], out[32];
    uLongf m = sizeof out;
    memcpy(in, good, sizeof good);
    if (n > 0)
        in[2] = (Bytef)s[0];
    return uncompress(out, &m, in, sizeof good) * 100 + (long)(m == 1 ? out[0] : 0);
}

/* deflateInit_, deflate, deflateEnd */
static long deflated(char *s, size_t n)
{
    z_stream z;
    Bytef out[200];
    long r;
    memset(&z, 0, sizeof z);
    if (deflateInit(&z, 6) != Z_OK)
        return -1;
    z.next_in = (Bytef *)s;
    z.avail_in = (uInt)n;
    z.next_out = out;
    z.avail_out = sizeof out;
    deflate(&z, Z_FINISH);
    r = (long)z.total_out * 256 + out[2];
    deflateEnd(&z);
    return r;
}

/* inflateInit2_, inflate, inflateEnd */
static long inflated(char *s, size_t n)
{
    z_stream z;
    Bytef in[8], out[64];
    long r;
    memset(&z, 0, sizeof z);
    memset(in, 0, sizeof in);
    memset(out, 0, sizeof out);
    memcpy(in, s, n < 8 ? n : 8);
    if (inflateInit2(&z, -15) != Z_OK)
        return -9;
    z.next_in = in;
    z.avail_in = sizeof in;
    z.next_out = out;
    z.avail_out = sizeof out;
    r = inflate(&z, Z_SYNC_FLUSH);
    r = r * 1000 + (long)z.total_out;
    inflateEnd(&z);
    return r;
}

/* zError */
static long error_of_zlib(long v)
{
    return zError(-(int)(v & 3))[0];
}

/* gzopen, gzputs, gzgets, gzclose */
static size_t through_a_packed_file(char *s, size_t n)
{
    gzFile f = gzopen("border.gz", "wb");
    if (!f)
        return n;
    gzputs(f, s);
    gzclose(f);
    f = gzopen("border.gz", "rb");
    if (!f)
        return n;
    if (!gzgets(f, s, 60))
        s[0] = '\0';
    gzclose(f);
    remove("border.gz");
    return strlen(s);
}
