// Quotient and remainder at once.
#include "models.h"
#include <inttypes.h>
#include <stdlib.h>

div_t __elw_m_div(int a, int b)
{
    __elw_model();
    return (div_t){a / b, a % b};
}

ldiv_t __elw_m_ldiv(long a, long b)
{
    __elw_model();
    return (ldiv_t){a / b, a % b};
}

lldiv_t __elw_m_lldiv(long long a, long long b)
{
    __elw_model();
    return (lldiv_t){a / b, a % b};
}

imaxdiv_t __elw_m_imaxdiv(intmax_t a, intmax_t b)
{
    __elw_model();
    return (imaxdiv_t){a / b, a % b};
}
