// Parses CSV with libcsv, strictly and not, and quotes each field again.
#include <csv.h>
#include <stddef.h>
#include <stdint.h>

static char text[1 << 16];

static void on_field(void *field, size_t length, void *user)
{
    ++*(unsigned *)user;
    (void)csv_write(text, sizeof text, field, length);
}

static void on_row(int end, void *user)
{
    (void)end;
    ++*(unsigned *)user;
}

static void parse(const uint8_t *data, size_t size, unsigned char options)
{
    unsigned parts = 0;
    struct csv_parser parser;
    if (csv_init(&parser, options) != 0)
        return;
    if (csv_parse(&parser, data, size, on_field, on_row, &parts) != size)
        (void)csv_strerror(csv_error(&parser));
    else
        (void)csv_fini(&parser, on_field, on_row, &parts);
    csv_free(&parser);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parse(data, size, 0);
    parse(data, size, CSV_STRICT | CSV_STRICT_FINI | CSV_EMPTY_IS_NULL | CSV_APPEND_NULL);
    return 0;
}
