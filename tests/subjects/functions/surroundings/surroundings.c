// What a function uses beside its parameters: variables at file scope, and what nobody defines.
#include "../twin.h"
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

static struct node *first;
static int limit = 10;
const int fixed = 3;

int by_globals(int x)
{
    if (first && first->value == x && limit == 11 && fixed == 3)
        fail(); // fails here
    return 0;
}

// Without being told, they are what the file says.
int by_globals_as_they_are(int x)
{
    if (first != NULL || limit != 10)
        abort();
    if (x == limit)
        fail(); // fails here
    return 0;
}

int reading(int channel);
struct node *lookup(const char *name);
struct node fetched(void);
void tell(int what);
extern int undefined_variable;

int stub_of_a_number(void)
{
    int a = reading(1);
    int b = reading(2);
    tell(a);
    if (a == 5 && b == 6)
        fail(); // fails here
    return a;
}

int stub_of_a_pointer(struct node *known)
{
    struct node *found = lookup("name");
    if (found != NULL && found == known && found->value == 3)
        fail(); // fails here
    return 0;
}

int stub_of_a_struct(void)
{
    struct node node = fetched();
    if (node.value == 21 && node.next != NULL && node.next->value == 22)
        fail(); // fails here
    return 0;
}

int undefined_variables(int x)
{
    if (x == 1 + undefined_variable)
        fail(); // fails here
    return 0;
}

// More objects than one run has at once appear one after the other.
int third(struct node *n)
{
    if (n && n->next && n->next->next && n->next != n && n->next->next != n
        && n->next->next != n->next)
        fail(); // fails here
    return 0;
}

// There are no four.
int no_fourth(struct node *a, struct node *b, struct node *c, struct node *d)
{
    if (!a || !b || !c || !d)
        return 0;
    if (a != b && a != c && a != d && b != c && b != d && c != d)
        abort();
    if (a != b && b != c && c != a)
        fail(); // fails here
    return 1;
}

int main(void)
{
    abort();
}
