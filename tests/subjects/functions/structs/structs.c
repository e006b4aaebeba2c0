// Parameters that are structs and unions, and what stands in them.
#include "../twin.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct point {
    int x, y;
};

struct point by_value(struct point p)
{
    if (p.x == 3 && p.y == -p.x)
        fail(); // fails here
    return (struct point){ p.y, p.x };
}

struct shape {
    enum { DOT, LINE, AREA } kind;
    struct point from;
    struct {
        short width;
        struct point corner;
    } area;
};

int nested(struct shape shape, const struct shape *other)
{
    if (shape.kind != AREA || other == NULL)
        return 0;
    if (shape.area.corner.y == 7 && other->area.width == shape.from.x && other->kind == LINE)
        fail(); // fails here
    return 1;
}

union number {
    int32_t whole;
    float real;
    unsigned char bytes[4];
};

int either(union number n)
{
    if (n.real == 1.0f && n.bytes[3] == 0x3f)
        fail(); // fails here
    return n.whole;
}

struct variant {
    int tag;
    union {
        int number;
        struct variant *inner;
    };
};

// The member of a union that has pointers is the one that it holds; that numbers are left out is said.
int inner(struct variant *v)
{
    if (v && v->tag == 2 && v->inner && v->inner->tag == 5)
        fail(); // fails here
    return 0;
}

struct bits {
    unsigned low : 3;
    int middle : 5;
    unsigned : 0;
    unsigned long long high : 40;
    _Bool flag : 1;
};

int fields(struct bits b)
{
    if (b.low == 6 && b.middle == -9 && b.high == 0xabcdef0123 && b.flag)
        fail(); // fails here
    return b.middle;
}

struct board {
    char title[4];
    struct {
        unsigned char piece;
        short at[2];
    } fields[2][3];
};

int arrays_within(struct board board)
{
    if (board.fields[1][2].at[1] == 300 && board.fields[0][1].piece == 9 && board.title[2] == 'q')
        fail(); // fails here
    return 0;
}

struct packet {
    uint16_t length;
    uint8_t payload[];
};

int flexible(const struct packet *p)
{
    if (p == NULL || p->length > 8)
        return -1;
    if (p->length == 3 && p->payload[0] == 1 && p->payload[2] == 0xee)
        fail(); // fails here
    return p->length;
}

struct row {
    int count;
    struct point *points[];
};

int flexible_pointers(struct row *row)
{
    if (row == NULL)
        return -1;
    if (row->points[1] != NULL && row->points[0] == row->points[1] && row->points[1]->y == 12)
        fail(); // fails here
    return 0;
}

struct __attribute__((packed)) record {
    char kind;
    int value;
    struct record *link;
};

int packed(struct record *r)
{
    if (r && r->kind == 'k' && r->value == 99999 && r->link == r)
        fail(); // fails here
    return 0;
}
