static int agreed = 1;

void ends(void *text)
{
    agreed = *(char *)text != 'x';
}

int agrees(void)
{
    return agreed;
}
