// How loud to warn.
int warn(int pressure)
{
    if (pressure > 180)
        return 2;
    return pressure > 90;
}
