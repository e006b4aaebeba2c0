static int seen;

int puts(const char *text)
{
    seen = text[0] == 'i';
    return 0;
}

int agrees(void)
{
    return !seen;
}
