int agrees_with(void (*asks)(char **))
{
    char *text = 0;
    asks(&text);
    return text[0] != 'x';
}
