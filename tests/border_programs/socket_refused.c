//: holds = "clean"
//: options = ["--input-size=1"]
// A socket is refused to the subject only: that an assertion counts on it is no failure of the program.
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    char c;
    if (read(0, &c, 1) != 1)
        return 1;
    int socket_here = socket(AF_INET, SOCK_STREAM, 0);
    assert(socket_here >= 0);
    struct sockaddr_in any = {.sin_family = AF_INET};
    assert(bind(socket_here, (struct sockaddr *)&any, sizeof any) == 0);
    return 0;
}
