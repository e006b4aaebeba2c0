//: holds = "honest"
//: options = ["--input-size=2"]
//: witness = "z1"
// A function that is not followed is given a path of which only the end, far behind, is input.
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[160] = "/srv/projects/documentation/manuals/internal/drafts/"
                        "2024/september/reviewed/translations/pt_BR/";

int main(void)
{
    char name[3] = "";
    if (read(0, name, 2) != 2)
        return 1;
    strcat(path, name);
    if (fnmatch("*/z?", path, 0) == 0)
        abort(); // fails here
    return 0;
}
