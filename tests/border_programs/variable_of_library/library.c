int asks(void (*answers)(int *))
{
    int answer = 0;
    answers(&answer);
    return answer == 'Q';
}
