//: holds = "honest"
//: options = ["--input-size=16"]
//: cflags = "-msse3"
//: witness = "a,b,cccccccccccc"
// A vector of the input, loaded by an instruction that has an intrinsic of its own.
#include <pmmintrin.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char text[16];
    if (read(0, text, sizeof text) != (ssize_t)sizeof text)
        return 1;
    __m128i all = _mm_lddqu_si128((const __m128i *)text);
    int commas = _mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8(',')));
    if (commas == 0xa)
        abort(); // fails here
    return 0;
}
