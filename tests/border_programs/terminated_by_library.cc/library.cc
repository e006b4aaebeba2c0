#include <cstdlib>
#include <exception>

void ends()
{
    try {
        throw;
    } catch (int number) {
        if (number == 'x')
            abort();
    } catch (...) {
    }
    _Exit(0);
}
