// A door that is opened, closed and locked as messages come.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int open_now, locked, keys;

static void turn(int key) {
    assert(!open_now);
    locked = key;
    keys++;
}

int main(void) {
    for (int step = 0; step < 10; step++) {
        switch (__VERIFIER_nondet_int()) {
        case 1:
            if (!locked)
                open_now = 1;
            break;
        case 2:
            open_now = 0;
            break;
        case 3:
            if (!open_now)
                turn(1);
            break;
        case 4:
            if (!open_now)
                turn(0);
            break;
        }
    }
    assert(keys <= 10);
    return 0;
}
