// Errors leave through longjmp; one of them carries a value that was not expected.
#include <assert.h>
#include <setjmp.h>
#include <unistd.h>

static jmp_buf way_out;

static void parse(const unsigned char *b)
{
    if (b[0] != '<')
        longjmp(way_out, 1);
    if (b[1] > 'm')
        longjmp(way_out, b[1] - 'm');
    if (b[2] == '>')
        longjmp(way_out, 2);
}

int main(void)
{
    unsigned char b[3];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    int code = setjmp(way_out);
    if (code == 0) {
        parse(b);
        return 0;
    }
#ifdef REPAIRED
    assert(code > 0);
#else
    assert(code != 13); // fails here
#endif
    return code;
}
