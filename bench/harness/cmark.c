// Parses CommonMark with cmark and renders the document as HTML, XML, LaTeX and CommonMark.
#include <cmark.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cmark_node *document = cmark_parse_document((const char *)data, size, CMARK_OPT_SMART);
    if (!document)
        return 0;
    free(cmark_render_html(document, CMARK_OPT_SOURCEPOS));
    free(cmark_render_xml(document, CMARK_OPT_DEFAULT));
    free(cmark_render_latex(document, CMARK_OPT_DEFAULT, 40));
    free(cmark_render_commonmark(document, CMARK_OPT_DEFAULT, 40));
    cmark_node_free(document);
    return 0;
}
