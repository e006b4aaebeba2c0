/* A door with a lock: a key that is turned while the door stands open jams it. */
#include <stdlib.h>
#include <unistd.h>

enum state { CLOSED, OPEN, LOCKED, AJAR };

int main(void)
{
    unsigned char commands[5];
    if (read(0, commands, sizeof commands) != (ssize_t)sizeof commands)
        return 99;
    enum state state = CLOSED;
    int turns = 0;
    for (int i = 0; i < 5; i++) {
        switch (commands[i]) {
        case 'o':
            if (state == LOCKED)
                return 1;
            state = OPEN;
            break;
        case 'c':
            if (state != OPEN && state != AJAR)
                return 2;
            state = state == AJAR ? OPEN : CLOSED;
            break;
        case 'k':
            if (state == OPEN) {
                state = AJAR;
                break;
            }
            state = state == LOCKED ? CLOSED : LOCKED;
            turns++;
            break;
        case 'p':
            if (state == AJAR && turns == 2)
                abort(); // fails here
            break;
        default:
            return 3;
        }
    }
    return 0;
}
