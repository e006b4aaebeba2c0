//: holds = "found"
//: options = ["--input-size=16", "--budget=3000runs"]
//: witness = "a,b,cccccccccccc"
// Sixteen bytes are compared at once, and the mask says which of them were equal.
#include <emmintrin.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char text[16];
    if (read(0, text, sizeof text) != (ssize_t)sizeof text)
        return 1;
    __m128i all = _mm_loadu_si128((const __m128i *)text);
    int commas = _mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8(',')));
    if (commas == 0xa)
        abort(); // fails here
    return 0;
}
