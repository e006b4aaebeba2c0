//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "X"
// A program makes code, with the input in it.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    unsigned char code[] = {0xb8, 0, 0, 0, 0, 0xc3}; // mov eax, 0; ret
    unsigned char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (read(0, &code[1], 1) != 1 || at == MAP_FAILED)
        return 1;
    memcpy(at, code, sizeof code);
    mprotect(at, 4096, PROT_READ | PROT_EXEC);
    if (((int (*)(void))at)() == 'X')
        abort(); // fails here
    return 0;
}
