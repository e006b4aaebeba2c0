//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "X"
// A lock that is taken before there is input belongs to the process that took it.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int file = open("lock", O_CREAT | O_RDWR, 0600);
    char byte;
    if (file < 0 || lockf(file, F_LOCK, 0) != 0 || read(0, &byte, 1) != 1)
        return 1;
    pid_t child = fork();
    if (child == 0)
        _exit(lockf(file, F_TEST, 0) != 0);
    int status = 0;
    waitpid(child, &status, 0);
    if (byte == 'X' && status != 0)
        abort(); // fails here
    return 0;
}
