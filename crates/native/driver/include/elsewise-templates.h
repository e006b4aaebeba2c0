/* Included before every C++ source of the instrumented build: strings, streams and containers are
 * made from the library's templates in instrumented code, instead of being taken from the library
 * as they were compiled there, where what happens to input bytes cannot be followed. */
#if defined(__cplusplus) && __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
