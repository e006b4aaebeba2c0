#include <cstdlib>
#include <exception>

static void ends()
{
    try {
        throw;
    } catch (int number) {
        if (number == 't')
            abort();
    } catch (...) {
    }
    _Exit(0);
}

void begins()
{
    std::set_terminate(ends);
}
