/* Objects that the driver makes: as Elsewise has them, each pointer is null, an object that is there, or a
 * new one. KEY, MOST (objects of a type), ARRAY and TEXT (bounds of arrays and strings) and HAS_OUTER (is
 * there a pointer to `struct outer`?) are said before; EXTRA is 1 if the function reads behind the end of what
 * it is given.
 */

/* Numbers around those that the function compares with. */
static const long long numbers[] = {0, KEY, -1, 1, KEY + 1, KEY + 2, KEY + 3, -2};
static const long long few[] = {0, KEY, -1, KEY + 1, KEY + 2, -2};

#define PICK(list) ((list)[choose((int)(sizeof(list) / sizeof *(list)))])
#define NUMBER(type) ((type)PICK(numbers))
#define FEW(type) ((type)PICK(few))

static int node_count, outer_count, tree_count, slots_count, slot_count, text_count, array_count;
static int packet_count, buffer_count, data_count, value_count, record_count, sum_count;
static int bits_count, link_count, grid_count, rows_count, switch_count, colour_count, letter_count;
static struct node nodes[MOST];
static struct outer outers[MOST];
static struct tree trees[MOST];
static struct slots all_slots[MOST];
static struct node *slot_arrays[MOST][4];
static char texts[MOST][TEXT + 2];
static struct buffer buffers[MOST];
static signed char datas[MOST][ARRAY + 1];
static union {
    struct packet packet;
    char room[sizeof(struct packet) + (ARRAY + 1) * sizeof(short)];
} packets[MOST];
static struct value values[MOST];
static struct record records[MOST + 1];
static struct sum sums[MOST];
static struct bits all_bits[MOST];
static struct entry entries[MOST];
static struct grid grids[MOST];
static signed char all_rows[MOST][ARRAY + 1][3];
static bool switches[MOST][ARRAY + 1];
static enum colour colours[MOST][ARRAY + 1];
static unsigned char letters[MOST][TEXT + 2];
/* Arrays of numbers, of whichever type. */
static union {
    int of_int[16];
    short of_short[16];
    double of_double[16];
    char of_char[16];
    struct item of_item[16];
} arrays[8];

static void reset(void)
{
    node_count = outer_count = tree_count = slots_count = slot_count = text_count = array_count = 0;
    packet_count = buffer_count = data_count = value_count = record_count = 0;
    sum_count = bits_count = link_count = grid_count = rows_count = switch_count = 0;
    colour_count = letter_count = 0;
}

static struct outer *any_outer(void);

static struct node *any_node(void);

static void fill_node(struct node *node)
{
    node->value = NUMBER(int);
    node->next = any_node();
}

static void fill_outer(struct outer *outer)
{
    outer->kind = FEW(short);
    fill_node(&outer->inner);
    outer->link = any_node();
}

static struct node *any_node(void)
{
    int outside = HAS_OUTER ? outer_count : 0;
    int new_outer = HAS_OUTER && outer_count < MOST;
    int way = choose(1 + node_count + outside + (node_count < MOST) + new_outer);
    if (way == 0)
        return NULL;
    if (way <= node_count)
        return &nodes[way - 1];
    way -= node_count + 1;
    if (way < outside)
        return &outers[way].inner;
    if (way == outside && node_count < MOST) {
        struct node *node = &nodes[node_count++];
        fill_node(node);
        return node;
    }
    struct outer *outer = &outers[outer_count++];
    fill_outer(outer);
    return &outer->inner;
}

static struct outer *any_outer(void)
{
    int way = choose(1 + outer_count + (outer_count < MOST));
    if (way == 0)
        return NULL;
    if (way <= outer_count)
        return &outers[way - 1];
    fill_outer(&outers[outer_count++]);
    return &outers[way - 1];
}

static struct tree *any_tree(void)
{
    int way = choose(1 + tree_count + (tree_count < MOST));
    if (way == 0)
        return NULL;
    if (way <= tree_count)
        return &trees[way - 1];
    struct tree *tree = &trees[tree_count++];
    tree->key = FEW(signed char);
    tree->left = any_tree();
    tree->right = any_tree();
    return tree;
}

/* Objects of a type, all alike. */
#define ANY(type, name, objects, count, most, fill)                                                    \
    static type *name(void)                                                                            \
    {                                                                                                  \
        int way = choose(1 + (count) + ((count) < (most)));                                            \
        if (way == 0)                                                                                  \
            return NULL;                                                                               \
        if (way > (count)) {                                                                           \
            type *new = (type *)&(objects)[(count)++];                                                 \
            fill                                                                                       \
        }                                                                                              \
        return (type *)&(objects)[way - 1];                                                            \
    }

ANY(struct slots, any_slots, all_slots, slots_count, MOST, {
    new->slot[0] = any_node();
    new->slot[1] = any_node();
    new->used = FEW(unsigned char);
})
ANY(struct packet, any_packet, packets, packet_count, MOST, {
    new->kind = FEW(unsigned char);
    for (int i = 0; i < ARRAY + EXTRA; i++)
        new->tail[i] = FEW(short);
})
ANY(struct value, any_value, values, value_count, MOST, {
    new->tag = PICK(few);
    if (choose(2))
        new->inner = any_node();
    else
        new->number = NUMBER(int);
})
ANY(struct record, any_record, records, record_count, MOST, {
    new->kind = NUMBER(int);
    new->flag = FEW(short);
})
ANY(struct sum, any_sum, sums, sum_count, MOST, {
    new->all = NUMBER(int);
    new->most = NUMBER(int);
})
ANY(struct bits, any_bits, all_bits, bits_count, MOST, {
    new->a = (unsigned)choose(8);
    new->b = choose(4) - 2;
    new->c = (unsigned)choose(16);
})

/* Text, one letter of which stands before all that it is compared with, and behind its end whatever else is there. */
ANY(char, any_text, texts, text_count, MOST, {
    for (int i = 0; i < TEXT; i++)
        new[i] = "abcA"[choose(5)];
    new[TEXT + 1] = EXTRA && choose(2) ? 'x' : 0;
})

ANY(unsigned char, any_letters, letters, letter_count, MOST, {
    for (int i = 0; i < TEXT; i++)
        new[i] = (unsigned char)"ab\377"[choose(4)];
    new[TEXT + 1] = EXTRA && choose(2) ? 'x' : 0;
})
ANY(bool, any_switches, switches, switch_count, MOST, {
    for (int i = 0; i < ARRAY + EXTRA; i++)
        new[i] = choose(2);
})
ANY(enum colour, any_colours, colours, colour_count, MOST, {
    for (int i = 0; i < ARRAY + EXTRA; i++)
        new[i] = ((enum colour[]){RED, GREEN, BLUE})[choose(3)];
})
/* Few of the cells are ever looked at. */
ANY(signed char, any_rows, all_rows, rows_count, MOST, {
    new[0] = FEW(signed char);
    new[5] = FEW(signed char);
})
ANY(struct grid, any_grid, grids, grid_count, MOST, {
    new->rows = (void *)any_rows();
    new->height = FEW(short);
})

static struct link *any_link(void)
{
    int way = choose(1 + link_count + (link_count < MOST));
    if (way == 0)
        return NULL;
    if (way > link_count) {
        struct entry *new = &entries[link_count++];
        new->key = NUMBER(long);
        new->link.next = any_link();
    }
    return &entries[way - 1].link;
}

static struct buffer *any_buffer(void)
{
    int way = choose(1 + buffer_count + (buffer_count < MOST));
    if (way == 0)
        return NULL;
    if (way > buffer_count) {
        struct buffer *new = &buffers[buffer_count++];
        int data = choose(1 + data_count + (data_count < MOST));
        new->data = data ? datas[data - 1] : NULL;
        new->length = data ? (size_t)choose(ARRAY + 1) : NUMBER(size_t);
        if (data > data_count) {
            data_count++;
            for (int i = 0; i < ARRAY; i++)
                datas[data - 1][i] = FEW(signed char);
        }
    }
    return &buffers[way - 1];
}

/* Pointers, of which the last is null; or a member of an object. */
static struct node **any_slot(void)
{
    int members = node_count + (HAS_OUTER ? 2 * outer_count : 0);
    int way = choose(1 + slot_count + members + (slot_count < MOST) + (node_count < MOST)
        + 2 * (HAS_OUTER && outer_count < MOST));
    if (way == 0)
        return NULL;
    way--;
    if (way < slot_count)
        return slot_arrays[way];
    way -= slot_count;
    if (way < node_count)
        return &nodes[way].next;
    way -= node_count;
    if (HAS_OUTER && way < 2 * outer_count)
        return way % 2 ? &outers[way / 2].link : &outers[way / 2].inner.next;
    way -= HAS_OUTER ? 2 * outer_count : 0;
    if (slot_count < MOST && way-- == 0) {
        struct node **array = slot_arrays[slot_count++];
        for (int i = 0; i < 3; i++)
            array[i] = any_node();
        array[3] = NULL;
        return array;
    }
    if (node_count < MOST && way-- == 0) {
        struct node *node = &nodes[node_count++];
        fill_node(node);
        return &node->next;
    }
    struct outer *outer = &outers[outer_count++];
    fill_outer(outer);
    return way == 0 ? &outer->link : &outer->inner.next;
}

/* An array of so many elements that are inputs: a new one, or one that is there, which is then at least as long. */
#define ANY_ARRAY(type, name, member, element)                                                         \
    static unsigned char name##_is[8], name##_long[8];                                                 \
    static type *name(int null, int length)                                                            \
    {                                                                                                  \
        int fitting[8], count = 0, way, i;                                                             \
        for (i = 0; i < array_count; i++) {                                                            \
            if (name##_is[i])                                                                          \
                fitting[count++] = i;                                                                  \
        }                                                                                              \
        way = choose(1 + count + null);                                                                \
        if (way > count)                                                                               \
            return NULL;                                                                               \
        if (way == count) {                                                                            \
            fitting[way] = array_count++;                                                              \
            name##_is[fitting[way]] = 1;                                                               \
            name##_long[fitting[way]] = 0;                                                             \
        }                                                                                              \
        i = fitting[way];                                                                              \
        for (; name##_long[i] < length; name##_long[i]++)                                              \
            arrays[i].member[name##_long[i]] = element;                                                \
        return arrays[i].member;                                                                       \
    }                                                                                                  \
    static void name##_reset(void)                                                                     \
    {                                                                                                  \
        memset(name##_is, 0, sizeof name##_is);                                                        \
    }

ANY_ARRAY(int, any_int, of_int, FEW(int))
ANY_ARRAY(short, any_short, of_short, FEW(short))
ANY_ARRAY(double, any_double, of_double, FEW(double))
ANY_ARRAY(char, any_char, of_char, "abc"[choose(4)])
ANY_ARRAY(struct item, any_item, of_item, ((struct item){FEW(int), FEW(short)}))

static void reset_all(void)
{
    reset();
    any_int_reset();
    any_short_reset();
    any_double_reset();
    any_char_reset();
    any_item_reset();
}
