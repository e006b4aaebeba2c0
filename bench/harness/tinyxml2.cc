// Parses an XML document with tinyxml2, walks its elements and prints it.
#include <cstddef>
#include <cstdint>
#include <tinyxml2.h>

using namespace tinyxml2;

// Visits every element and looks at its attributes and text.
class Walk : public XMLVisitor {
public:
    bool VisitEnter(const XMLElement &element, const XMLAttribute *first) override
    {
        for (const XMLAttribute *at = first; at; at = at->Next()) {
            int number;
            numbers += at->QueryIntValue(&number) == XML_SUCCESS;
        }
        texts += element.GetText() != nullptr;
        return true;
    }
    unsigned numbers = 0, texts = 0;
};

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    XMLDocument document;
    if (document.Parse(reinterpret_cast<const char *>(data), size) != XML_SUCCESS) {
        (void)document.ErrorName();
        return 0;
    }
    Walk walk;
    document.Accept(&walk);
    XMLPrinter printer;
    document.Print(&printer);
    return 0;
}
