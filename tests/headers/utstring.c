// The operations of <utstring.h>, on strings that were made through it.
#include "check.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <utstring.h>

static UT_string *string_of(const char *text)
{
    UT_string *string;
    utstring_new(string);
    utstring_bincpy(string, text, strlen(text));
    return string;
}

static int valid(const char *text)
{
    return text != NULL;
}

//: explore --valid char:valid
void utstring_copy(char *text)
{
    UT_string *string = string_of(text);
    ensure(!strcmp(utstring_body(string), text));
    ensure(utstring_len(string) == strlen(text));
    utstring_free(string);
}

//: explore --valid char:valid
void utstring_clear_all(char *text)
{
    UT_string *string = string_of(text);
    utstring_clear(string);
    ensure(utstring_len(string) == 0);
    utstring_renew(string);
    utstring_free(string);
}

//: explore --valid char:valid
void utstring_reserve_more(char *text, unsigned char amount)
{
    UT_string *string = string_of(text);
    utstring_reserve(string, amount);
    ensure(string->n - string->i >= amount);
    utstring_free(string);
}

//: explore --valid char:valid
void utstring_concatenate(char *text, char *other)
{
    UT_string *string = string_of(text), *added = string_of(other);
    utstring_concat(string, added);
    ensure(utstring_len(string) == strlen(text) + strlen(other));
    utstring_free(string);
    utstring_free(added);
}

//: explore --valid char:valid
void utstring_print(char *text, int number)
{
    UT_string *string = string_of(text);
    utstring_printf(string, "%s=%d", text, number);
    ensure(utstring_len(string) >= 2 * strlen(text) + 2);
    utstring_free(string);
}

//: explore --valid char:valid --max-string 5
void utstring_search(char *text, char *needle)
{
    UT_string *string = string_of(text);
    long found = utstring_find(string, 0, needle, strlen(needle));
    const char *first = strstr(text, needle);
    ensure(found < 0 || first == text + found);
    utstring_free(string);
}

//: explore --valid char:valid --max-string 5
void utstring_search_from(char *text, char *needle, signed char start)
{
    UT_string *string = string_of(text);
    if (start >= -(long)utstring_len(string)) {
        long found = utstring_find(string, start, needle, strlen(needle));
        ensure(found < 0 || !memcmp(text + found, needle, strlen(needle)));
    }
    utstring_free(string);
}

//: explore --valid char:valid --max-string 5
void utstring_search_back(char *text, char *needle)
{
    UT_string *string = string_of(text);
    long found = utstring_findR(string, -1, needle, strlen(needle));
    ensure(found < 0 || !memcmp(text + found, needle, strlen(needle)));
    utstring_free(string);
}
