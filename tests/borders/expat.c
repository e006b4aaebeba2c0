/* expat. */
/* Link: -lexpat */
#include <expat.h>
#include <string.h>

static long border_elements;
static void border_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
    (void)data;
    border_elements = border_elements * 5 + name[0] + (attributes[0] ? attributes[1][0] : 0);
}

static void border_characters(void *data, const XML_Char *text, int length)
{
    long *sum = (long *)data;
    int i;
    for (i = 0; i < length; i++)
        *sum = *sum * 3 + (text[i] & 255);
}

/* XML_ParserCreate, XML_Parse, XML_ParserFree, XML_SetElementHandler */
static long element(char *s, size_t n)
{
    XML_Parser p = XML_ParserCreate(NULL);
    char text[96] = "<";
    int ok;
    (void)n;
    strcat(text, s);
    strcat(text, "/>");
    border_elements = 0;
    XML_SetElementHandler(p, border_start, NULL);
    ok = XML_Parse(p, text, (int)strlen(text), 1) == XML_STATUS_OK;
    XML_ParserFree(p);
    return ok ? border_elements : -1;
}

/* XML_SetUserData, XML_SetCharacterDataHandler */
static long content(char *s, size_t n)
{
    XML_Parser p = XML_ParserCreate("UTF-8");
    long sum = 0;
    int ok;
    XML_SetUserData(p, &sum);
    XML_SetCharacterDataHandler(p, border_characters);
    ok = XML_Parse(p, "<a>", 3, 0) == XML_STATUS_OK && XML_Parse(p, s, (int)n, 0) == XML_STATUS_OK &&
         XML_Parse(p, "</a>", 4, 1) == XML_STATUS_OK;
    XML_ParserFree(p);
    return ok ? sum & 0xffff : -1;
}

/* XML_GetErrorCode, XML_GetCurrentColumnNumber */
static long error_of_expat(char *s, size_t n)
{
    XML_Parser p = XML_ParserCreate(NULL);
    long r;
    XML_Parse(p, s, (int)n, 1);
    r = (long)XML_GetErrorCode(p) * 100 + (long)XML_GetCurrentColumnNumber(p);
    XML_ParserFree(p);
    return r;
}

/* XML_GetBuffer, XML_ParseBuffer */
static long attribute(char *s, size_t n)
{
    XML_Parser p = XML_ParserCreate(NULL);
    char *buffer = (char *)XML_GetBuffer(p, 128);
    int ok = 0;
    (void)n;
    border_elements = 0;
    XML_SetElementHandler(p, border_start, NULL);
    if (buffer) {
        strcpy(buffer, "<a b='");
        strcat(buffer, s);
        strcat(buffer, "'/>");
        ok = XML_ParseBuffer(p, (int)strlen(buffer), 1) == XML_STATUS_OK;
    }
    XML_ParserFree(p);
    return ok ? border_elements : -1;
}

/* XML_ErrorString */
static long text_of_expat(long v)
{
    const XML_LChar *text = XML_ErrorString((enum XML_Error)(v & 15));
    return text ? text[0] : -1;
}
