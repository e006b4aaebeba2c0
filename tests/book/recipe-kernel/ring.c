// A character device with messages in a list. The bug: no room for the NUL of the longest message.
#include <linux/kernel.h>

struct message {
    struct list_head list;
    size_t length;
    char text[8];
};

struct ring {
    struct list_head messages;
    unsigned pending, limit;
};

// Takes a message from user space. Returns the number of bytes, or a negative error.
ssize_t ring_write(struct ring *ring, const char __user *buffer, size_t count)
{
    struct message *message;

    if (ring->pending >= ring->limit)
        return -ENOSPC;
    if (count > sizeof message->text)
        return -EMSGSIZE;
    message = kmalloc(sizeof *message, GFP_KERNEL);
    if (!message)
        return -ENOMEM;
    if (copy_from_user(message->text, buffer, count)) {
        kfree(message);
        return -EFAULT;
    }
    message->text[count] = 0;
    message->length = count;
    list_add_tail(&message->list, &ring->messages);
    ring->pending++;
    return (ssize_t)count;
}

// A ring as ring_init makes it: no messages yet.
int ring_valid(const struct ring *ring)
{
    return ring && ring->messages.next == &ring->messages && ring->messages.prev == &ring->messages
        && ring->pending == 0;
}
