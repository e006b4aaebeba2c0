// Tests of the quick sort.
#include "../quick_sort.h"
#include "sorts.h"

int main(void)
{
    test_sort(quick_sort, quick_sort_check);
    return 0;
}
