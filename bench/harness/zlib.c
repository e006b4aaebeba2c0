// Inflates a zlib or gzip stream of any window, and deflates what came out of it.
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

static unsigned char plain[1 << 16], dense[1 << 17];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    z_stream stream;
    gz_header header;
    unsigned char name[16], comment[16], extra[16];
    memset(&stream, 0, sizeof stream);
    memset(&header, 0, sizeof header);
    if (inflateInit2(&stream, 15 + 32) != Z_OK)
        return 0;
    header.name = name, header.name_max = sizeof name;
    header.comment = comment, header.comm_max = sizeof comment;
    header.extra = extra, header.extra_max = sizeof extra;
    inflateGetHeader(&stream, &header);
    stream.next_in = (Bytef *)data;
    stream.avail_in = (uInt)size;
    stream.next_out = plain;
    stream.avail_out = sizeof plain;
    int result = inflate(&stream, Z_FINISH);
    uLong length = stream.total_out;
    inflateEnd(&stream);
    if (result == Z_STREAM_END) {
        uLongf space = sizeof dense;
        compress2(dense, &space, plain, length, 6);
    }
    return 0;
}
