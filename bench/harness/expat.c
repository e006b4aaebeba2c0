// Parses an XML document with expat; handlers are set, so that every part of a document is reported.
#include <expat.h>
#include <stddef.h>
#include <stdint.h>

static void on_start(void *user, const XML_Char *name, const XML_Char **attributes)
{
    (void)name;
    while (*attributes)
        attributes++;
    ++*(unsigned *)user;
}

static void on_end(void *user, const XML_Char *name)
{
    (void)name;
    --*(unsigned *)user;
}

static void on_text(void *user, const XML_Char *text, int length)
{
    (void)user, (void)text, (void)length;
}

static void on_comment(void *user, const XML_Char *text)
{
    (void)user, (void)text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned depth = 0;
    XML_Parser parser = XML_ParserCreateNS(NULL, '!');
    if (!parser)
        return 0;
    XML_SetHashSalt(parser, 1);
    XML_SetUserData(parser, &depth);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    XML_SetCommentHandler(parser, on_comment);
    XML_SetParamEntityParsing(parser, XML_PARAM_ENTITY_PARSING_ALWAYS);
    if (XML_Parse(parser, (const char *)data, (int)size, 1) == XML_STATUS_ERROR)
        (void)XML_ErrorString(XML_GetErrorCode(parser));
    XML_ParserFree(parser);
    return 0;
}
