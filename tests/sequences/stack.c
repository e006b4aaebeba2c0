/* A stack that is made in place. With BUGGY, its room is not what it says when it is full. */
struct stack {
    int count;
    int values[4];
};

void stack_init(struct stack *stack)
{
    stack->count = 0;
}

int stack_push(struct stack *stack, int value)
{
#ifdef BUGGY
    if (stack->count > 2)
#else
    if (stack->count > 1)
#endif
        return 0;
    stack->values[stack->count++] = value;
    return 1;
}

int stack_pop(struct stack *stack)
{
    if (stack->count == 0)
        return -1;
    return stack->values[--stack->count];
}

int stack_check(const struct stack *stack)
{
    return stack->count >= 0 && stack->count <= 2;
}
