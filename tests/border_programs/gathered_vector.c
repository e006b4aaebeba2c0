//: holds = "honest"
//: options = ["--input-size=16"]
//: cflags = "-mavx2"
//: witness = "xxxxxxxx\u0021\u0043\u0000\u0000xxxx"
// Elements of the input are gathered from places that a vector of indices names.
#include <immintrin.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int numbers[4];
    if (read(0, numbers, sizeof numbers) != (ssize_t)sizeof numbers)
        return 1;
    __m128i places = _mm_setr_epi32(2, 0, 3, 1);
    __m128i gathered = _mm_i32gather_epi32(numbers, places, 4);
    if (_mm_extract_epi32(gathered, 0) == 0x4321)
        abort(); // fails here
    return 0;
}
