// How often it was too hot.
static int times;

int alarm(int degrees)
{
    times += degrees > 60;
    return times;
}
