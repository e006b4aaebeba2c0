// A mailbox of small numbers.
struct mailbox {
    int letters[4], count;
};

int send(struct mailbox *box, int letter);
