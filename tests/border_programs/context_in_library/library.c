static int agreed;

void looks(char *text)
{
    agreed = text[0] != 'x';
}

int agrees(void)
{
    return agreed;
}
