// What the driver needs of the kernel, for a program.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define __user
#define GFP_KERNEL 0
#define kmalloc(size, flags) malloc(size)
#define kfree free

struct list_head {
    struct list_head *next, *prev;
};

static inline void list_add_tail(struct list_head *item, struct list_head *head)
{
    item->prev = head->prev;
    item->next = head;
    head->prev->next = item;
    head->prev = item;
}

// Returns the number of bytes that could not be copied. User space may fail to have them.
int user_memory_faults(void);

static inline unsigned long copy_from_user(void *to, const void *from, unsigned long size)
{
    if (!from || user_memory_faults())
        return size;
    memcpy(to, from, size);
    return 0;
}
