//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "n"
// A function in assembly is given a pointer to a pointer to the input.
#include <stdlib.h>
#include <unistd.h>

__asm__(".globl byte_behind\n"
        "byte_behind: movq (%rdi), %rax\n"
        "movzbl (%rax), %eax\n"
        "ret\n");
int byte_behind(unsigned char **pointer);

int main(void)
{
    static unsigned char c;
    unsigned char **pointer = calloc(1, 128);
    if (!pointer || read(0, &c, 1) != 1)
        return 1;
    *pointer = &c;
    if (byte_behind(pointer) == 'n')
        abort(); // fails here
    return 0;
}
