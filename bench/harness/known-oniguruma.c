// Compiles the input as a regular expression of Oniguruma and looks for it in a short text.
#include <oniguruma.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const UChar text[] = "abc 123";
    OnigErrorInfo about;
    regex_t *expression;
    int result = onig_new(&expression, data, data + size, ONIG_OPTION_DEFAULT, ONIG_ENCODING_ASCII,
                          ONIG_SYNTAX_DEFAULT, &about);
    if (result != ONIG_NORMAL)
        return 0;
    OnigRegion *region = onig_region_new();
    onig_search(expression, text, text + sizeof text - 1, text, text + sizeof text - 1, region,
                ONIG_OPTION_NONE);
    onig_region_free(region, 1);
    onig_free(expression);
    return 0;
}
