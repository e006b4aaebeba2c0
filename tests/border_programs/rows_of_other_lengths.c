//: holds = "found"
//: kind = "heap-buffer-overflow"
//: options = ["--input-size=1", "--sanitize=address"]
//: witness = "\u0001"
// The input chooses among blocks of which one is shorter than what is read of each.
#include <stdlib.h>
#include <unistd.h>

struct row {
    int count;
    int cells[];
};

static struct row *row_of(int count)
{
    struct row *row = calloc(1, sizeof *row + (size_t)count * sizeof(int));
    if (!row)
        exit(1);
    row->count = count;
    return row;
}

int main(void)
{
    struct row *rows[3] = {row_of(5), row_of(3), row_of(5)};
    unsigned char number;
    if (read(0, &number, 1) != 1)
        return 1;
    const struct row *row = rows[number % 3];
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += row->cells[i]; // fails here
    return sum;
}
