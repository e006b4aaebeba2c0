// Inflates a gzip stream that arrives a few bytes at a time, and asks for the fields of its header.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char plain[64];
    z_stream stream;
    gz_header header;
    memset(&stream, 0, sizeof stream);
    memset(&header, 0, sizeof header);
    if (inflateInit2(&stream, 15 + 32) != Z_OK)
        return 0;
    header.extra_max = 4;
    header.extra = malloc(header.extra_max);
    inflateGetHeader(&stream, &header);
    for (size_t at = 0; at < size; at += 4) {
        stream.next_in = (Bytef *)data + at;
        stream.avail_in = size - at < 4 ? (uInt)(size - at) : 4;
        stream.next_out = plain;
        stream.avail_out = sizeof plain;
        if (inflate(&stream, Z_NO_FLUSH) != Z_OK)
            break;
    }
    inflateEnd(&stream);
    free(header.extra);
    return 0;
}
