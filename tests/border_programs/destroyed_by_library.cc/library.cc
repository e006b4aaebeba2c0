#include "library.h"
#include <cstdlib>

Note::~Note()
{
    if (text == 'x')
        abort();
}
