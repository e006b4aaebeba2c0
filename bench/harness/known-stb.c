// Decodes an image of any of stb_image's formats.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

unsigned char *stbi_load_from_memory(unsigned char const *, int, int *, int *, int *, int);
void stbi_image_free(void *);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int width, height, channels;
    stbi_image_free(stbi_load_from_memory(data, (int)size, &width, &height, &channels, 4));
    return 0;
}
