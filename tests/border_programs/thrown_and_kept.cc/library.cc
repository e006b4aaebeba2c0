extern "C" bool succeeds(void (*call)())
{
    try {
        call();
    } catch (int error) {
        return error != 'B';
    }
    return true;
}
