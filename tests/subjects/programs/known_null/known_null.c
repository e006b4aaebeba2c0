// A null pointer that the compiler knows: what it takes for something that never happens is what the program does.
#include <stdio.h>

static void set(int *place)
{
    *place = 1; // fails here
}

int main(void)
{
    int here = 0;
    int *place = NULL;

#ifdef REPAIRED
    place = &here;
#endif
    if (getchar() == 'N')
        set(place);
    printf("%d\n", here);
    return 0;
}
