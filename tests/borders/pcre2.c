/* pcre2. */
/* Link: -lpcre2-8 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

/* pcre2_compile_8, pcre2_match_8, pcre2_get_ovector_pointer_8, pcre2_code_free_8 */
static long matched(char *s, size_t n)
{
    int error;
    size_t where;
    long r;
    pcre2_code *re = pcre2_compile((PCRE2_SPTR) "(\\d)(?=[a-z])|k", PCRE2_ZERO_TERMINATED, 0, &error, &where, NULL);
    pcre2_match_data *data = pcre2_match_data_create_from_pattern(re, NULL);
    r = pcre2_match(re, (PCRE2_SPTR)s, n, 0, 0, data, NULL);
    if (r > 0)
        r = r * 100 + (long)pcre2_get_ovector_pointer(data)[0];
    pcre2_match_data_free(data);
    pcre2_code_free(re);
    return r;
}

/* pcre2_get_error_message_8 */
static long compiled(char *s, size_t n)
{
    int error = 0;
    size_t where = 0;
    unsigned char text[128];
    pcre2_code *re = pcre2_compile((PCRE2_SPTR)s, n, 0, &error, &where, NULL);
    memset(text, 0, sizeof text);
    if (!re) {
        pcre2_get_error_message(error, text, sizeof text);
        return error * 10 + (long)where + text[0];
    }
    pcre2_code_free(re);
    return 0;
}

/* pcre2_substitute_8 */
static size_t substituted(char *s, size_t n)
{
    int error;
    size_t where, m = 64;
    unsigned char out[65];
    pcre2_code *re = pcre2_compile((PCRE2_SPTR) "[0-4]", PCRE2_ZERO_TERMINATED, 0, &error, &where, NULL);
    int k = n > 20 ? -1 : pcre2_substitute(re, (PCRE2_SPTR)s, n, 0, PCRE2_SUBSTITUTE_GLOBAL, NULL, NULL,
                                           (PCRE2_SPTR) "<>", 2, out, &m);
    pcre2_code_free(re);
    if (k < 0)
        return n;
    memcpy(s, out, m);
    s[m] = '\0';
    return m;
}
