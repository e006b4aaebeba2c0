/* `std::__throw_runtime_error`, of the C++ library of whoever loads this. */
void _ZSt21__throw_runtime_errorPKc(const char *);

void refuses_b(const char *text)
{
    if (*text == 'b')
        _ZSt21__throw_runtime_errorPKc("b");
}
