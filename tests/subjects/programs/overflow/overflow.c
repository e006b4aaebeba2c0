// The middle of two numbers, computed as one must not.
#include <stdint.h>
#include <unistd.h>

int main(void)
{
    int32_t v[2];
    if (read(0, v, sizeof v) != (ssize_t)sizeof v)
        return 1;
    if (v[0] < 0 || v[1] < 0)
        return 2;
#ifdef REPAIRED
    int32_t middle = v[0] / 2 + v[1] / 2;
#else
    int32_t middle = (v[0] + v[1]) / 2; // fails here
#endif
    return middle > 100;
}
