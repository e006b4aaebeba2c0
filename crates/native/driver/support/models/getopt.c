// `getopt`, `getopt_long` and `getopt_long_only`, with glibc's order and abbreviations; only what
// is said about an ambiguous option is shorter.
#include "models.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

int __elw_m_strncmp(const char *a, const char *b, size_t count);

#define SCAN __elw_remembered

// The words that are no options go behind the options just seen.
static void __elw_h_exchange(char **words)
{
    int bottom = SCAN.first, middle = SCAN.last, top = optind;
    for (int i = middle; i < top; i++) {
        char *word = words[i];
        for (int j = i; j > bottom + (i - middle); j--)
            words[j] = words[j - 1];
        words[bottom + (i - middle)] = word;
    }
    SCAN.first += top - middle;
    SCAN.last = top;
}

#define COMPLAIN(...)                                                                              \
    do {                                                                                           \
        if (complain)                                                                              \
            fprintf(stderr, __VA_ARGS__);                                                          \
    } while (0)

static int __elw_h_long(int count, char **words, const char *shorts, const struct option *longs,
                        int *index, int only, int complain, const char *prefix)
{
    size_t length = 0;
    while (SCAN.rest[length] && SCAN.rest[length] != '=')
        length++;
    const char *value = SCAN.rest + length;
    const struct option *found = NULL;
    int at = -1, ambiguous = 0, n = 0;
    for (const struct option *o = longs; o->name; o++, n++)
        if (strlen(o->name) == length && !__elw_m_strncmp(SCAN.rest, o->name, length)) {
            found = o;
            at = n;
            break;
        }
    if (!found) {
        n = 0;
        for (const struct option *o = longs; o->name; o++, n++) {
            if (strlen(o->name) < length || __elw_m_strncmp(SCAN.rest, o->name, length))
                continue;
            if (!found) {
                found = o;
                at = n;
            } else if (only || found->has_arg != o->has_arg || found->flag != o->flag ||
                       found->val != o->val) {
                ambiguous = 1;
            }
        }
    }
    if (ambiguous) {
        COMPLAIN("%s: option '%s%s' is ambiguous\n", words[0], prefix, SCAN.rest);
        SCAN.rest += strlen(SCAN.rest);
        optind++;
        SCAN.option = 0;
        return '?';
    }
    if (!found) {
        if (only && words[optind][1] != '-' && strchr(shorts, *SCAN.rest))
            return -1;
        COMPLAIN("%s: unrecognized option '%s%s'\n", words[0], prefix, SCAN.rest);
        SCAN.rest = NULL;
        optind++;
        SCAN.option = 0;
        return '?';
    }
    optind++;
    SCAN.rest = NULL;
    if (*value) {
        if (!found->has_arg) {
            COMPLAIN("%s: option '%s%s' doesn't allow an argument\n", words[0], prefix,
                     found->name);
            SCAN.option = found->val;
            return '?';
        }
        optarg = (char *)value + 1;
    } else if (found->has_arg == required_argument) {
        if (optind >= count) {
            COMPLAIN("%s: option '%s%s' requires an argument\n", words[0], prefix, found->name);
            SCAN.option = found->val;
            return shorts[0] == ':' ? ':' : '?';
        }
        optarg = words[optind++];
    }
    if (index)
        *index = at;
    if (found->flag) {
        *found->flag = found->val;
        return 0;
    }
    return found->val;
}

static int __elw_h_getopt(int count, char **words, const char *shorts, const struct option *longs,
                          int *index, int only)
{
    int complain = opterr;
    if (count < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || !SCAN.begun) {
        if (optind == 0)
            optind = 1;
        SCAN.first = SCAN.last = optind;
        SCAN.rest = NULL;
        SCAN.begun = 1;
        SCAN.ordering = shorts[0] == '-'                                ? IN_ORDER
                         : shorts[0] == '+' || getenv("POSIXLY_CORRECT") ? STOP_EARLY
                                                                         : PERMUTE;
    }
    if (shorts[0] == '-' || shorts[0] == '+')
        shorts++;
    if (shorts[0] == ':')
        complain = 0;
    if (!SCAN.rest || !*SCAN.rest) {
        if (SCAN.last > optind)
            SCAN.last = optind;
        if (SCAN.first > optind)
            SCAN.first = optind;
        if (SCAN.ordering == PERMUTE) {
            if (SCAN.first != SCAN.last && SCAN.last != optind)
                __elw_h_exchange(words);
            else if (SCAN.last != optind)
                SCAN.first = optind;
            while (optind < count && (words[optind][0] != '-' || !words[optind][1]))
                optind++;
            SCAN.last = optind;
        }
        if (optind != count && words[optind][0] == '-' && words[optind][1] == '-' &&
            !words[optind][2]) {
            optind++;
            if (SCAN.first != SCAN.last && SCAN.last != optind)
                __elw_h_exchange(words);
            else if (SCAN.first == SCAN.last)
                SCAN.first = optind;
            SCAN.last = count;
            optind = count;
        }
        if (optind == count) {
            if (SCAN.first != SCAN.last)
                optind = SCAN.first;
            return -1;
        }
        const char *word = words[optind];
        if (word[0] != '-' || !word[1]) {
            if (SCAN.ordering == STOP_EARLY)
                return -1;
            optarg = words[optind++];
            return 1;
        }
        if (longs) {
            if (word[1] == '-') {
                SCAN.rest = word + 2;
                return __elw_h_long(count, words, shorts, longs, index, only, complain, "--");
            }
            if (only && (word[2] || !strchr(shorts, word[1]))) {
                SCAN.rest = word + 1;
                int code = __elw_h_long(count, words, shorts, longs, index, only, complain, "-");
                if (code != -1)
                    return code;
            }
        }
        SCAN.rest = word + 1;
    }
    char c = *SCAN.rest++;
    const char *known = NULL;
    for (const char *s = shorts; *s; s++)
        if (*s == c) {
            known = s;
            break;
        }
    if (!*SCAN.rest)
        optind++;
    if (!known || c == ':' || c == ';') {
        COMPLAIN("%s: invalid option -- '%c'\n", words[0], c);
        SCAN.option = c;
        return '?';
    }
    if (known[0] == 'W' && known[1] == ';' && longs) {
        if (*SCAN.rest) {
            optarg = (char *)SCAN.rest;
        } else if (optind == count) {
            COMPLAIN("%s: option requires an argument -- '%c'\n", words[0], c);
            SCAN.option = c;
            return shorts[0] == ':' ? ':' : '?';
        } else {
            optarg = words[optind];
        }
        SCAN.rest = optarg;
        optarg = NULL;
        return __elw_h_long(count, words, shorts, longs, index, 0, complain, "-W ");
    }
    if (known[1] == ':') {
        if (*SCAN.rest) {
            optarg = (char *)SCAN.rest;
            optind++;
        } else if (known[2] == ':') {
            optarg = NULL;
        } else if (optind == count) {
            COMPLAIN("%s: option requires an argument -- '%c'\n", words[0], c);
            SCAN.option = c;
            c = shorts[0] == ':' ? ':' : '?';
        } else {
            optarg = words[optind++];
        }
        SCAN.rest = NULL;
    }
    return c;
}

int __elw_m_getopt(int count, char *const *words, const char *shorts)
{
    __elw_model();
    __elw_goes_on();
    int code = __elw_h_getopt(count, (char **)words, shorts, NULL, NULL, 0);
    optopt = SCAN.option;
    return code;
}

int __elw_m_getopt_long(int count, char *const *words, const char *shorts,
                        const struct option *longs, int *index)
{
    __elw_model();
    __elw_goes_on();
    int code = __elw_h_getopt(count, (char **)words, shorts, longs, index, 0);
    optopt = SCAN.option;
    return code;
}

int __elw_m_getopt_long_only(int count, char *const *words, const char *shorts,
                             const struct option *longs, int *index)
{
    __elw_model();
    __elw_goes_on();
    int code = __elw_h_getopt(count, (char **)words, shorts, longs, index, 1);
    optopt = SCAN.option;
    return code;
}
