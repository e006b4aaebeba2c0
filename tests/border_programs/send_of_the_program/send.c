// Puts a letter into a mailbox.
#include "mailbox.h"

int send(struct mailbox *box, int letter)
{
    if (letter > 120 || box->count == 4)
        return -1;
    box->letters[box->count++] = letter;
    return 0;
}
