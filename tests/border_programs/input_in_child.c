//: holds = "honest"
//: kind = "assertion"
//: options = ["--max-input=1"]
//: witness = "x"
// The input is read by a child, whose status the parent looks at.
#include <assert.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(getchar() == 'x');
    int status = 0;
    waitpid(child, &status, 0);
    assert(status == 0); // fails here
    return 0;
}
