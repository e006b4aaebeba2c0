#include <cstdlib>

struct Keeper {
    char *text = nullptr;
    ~Keeper()
    {
        if (text && *text == 'o')
            abort();
    }
};

static thread_local Keeper keeper;

void keeps(char *text)
{
    keeper.text = text;
}
