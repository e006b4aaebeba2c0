extern "C" void passes_on(void (*call)())
{
    try {
        call();
    } catch (int error) {
        throw error + 1;
    }
}
