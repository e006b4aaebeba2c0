// Declarations of every kind that C has, to be read from debug information and compared with what
// the compiler itself says of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <wchar.h>

struct integers {
  char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; unsigned u;
  long l; unsigned long ul; long long ll; unsigned long long ull; __int128 x; unsigned __int128 ux;
  bool b; size_t size; ptrdiff_t difference; wchar_t wide; uint8_t u8; int64_t i64; uintptr_t up;
};
struct floats { float f; double d; long double ld; _Float16 h; _Complex double z; };

enum small { SMALL_A, SMALL_B };
enum negative { LEAST = -2147483647 - 1, MINUS = -1, NOUGHT, MOST = 2147483647 };
enum wide { WIDE_LEAST = -1, WIDE_MOST = 0x7fffffffffffffff };
enum huge { HUGE_MOST = 0xffffffffffffffffu };
enum __attribute__((packed)) packed_enum { PACKED_A = -128, PACKED_B = 127 };
enum { NAMELESS = 42 };
typedef enum { ALIAS_A = 7, ALIAS_B } alias_enum;
struct enums { enum small s; enum negative n; enum wide w; enum huge h; enum packed_enum p; alias_enum a; };

struct list { struct list *next, **previous; void *payload; const void *fixed; };
struct point { int x, y; };
typedef struct { struct point from, to; } line;
typedef union { int i; float f; struct { char a, b; } pair; unsigned char bytes[16]; } any;
struct nested {
  line edge;
  any value;
  struct inner { short a; struct point where; } in;
  struct { int unnamed_a; union { int unnamed_b; double unnamed_c; }; };
  union { char tag; long whole; } choice;
};
struct __attribute__((packed)) tight { char c; int i; short s; };
struct aligned { char c; _Alignas(32) int i; };
struct empty { };

struct bits {
  int a : 3;
  unsigned b : 5;
  unsigned : 0;
  unsigned c : 7;
  long long d : 40;
  signed char e : 2;
  bool f : 1;
  enum small g : 4;
  unsigned : 9;
  uint16_t h : 16;
  int plain;
  unsigned long last : 63;
};
struct __attribute__((packed)) spanning { unsigned a : 7; unsigned b : 31; unsigned c : 13; char d; };
union bits_union { unsigned low : 9; long high : 50; };

struct arrays {
  int one[4], two[2][3];
  const char *names[2];
  struct point points[3];
  int (*to_array)[5];
  int *of_pointers[6];
  char text[];
};
struct flexible { size_t count; struct point items[]; };
struct zero { int n; int none[0]; };

typedef int number;
typedef number count_type;
typedef const count_type fixed_count;
typedef volatile fixed_count odd_count;
typedef count_type vector_of_four[4];
typedef const char *string;
typedef struct list *list_pointer;
typedef struct list const *const fixed_list;
struct typedefs {
  number n; count_type c; fixed_count f; odd_count o; vector_of_four v; string s; list_pointer l;
  fixed_list fl; string const *ps; const vector_of_four cv; FILE *file; time_t when; struct tm tm;
};
struct qualified {
  const int a; volatile int b; const volatile int c; int *const d; const int *volatile e;
  int *restrict f; char *restrict const *g; _Atomic int h; _Atomic(int *) i; const int j[3];
  _Atomic(struct point) k;
};

typedef int operation(int, int);
typedef int (*comparison)(const void *, const void *);
typedef void (*handler)(int), (*installer(int, handler))(int);
struct calls {
  void (*nothing)(void);
  int (*anything)();
  operation *op;
  comparison compare;
  int (*print)(const char *, ...);
  struct point (*by_value)(struct point, line);
  int (*table[4])(int);
  void (*(*signal)(int, void (*)(int)))(int);
  char *(*(*chain)[3])(void);
  installer *install;
  double (*(*maker)(char *restrict))(double);
};

struct opaque;
union opaque_union;
typedef struct hidden hidden;
struct handles { struct opaque *a; union opaque_union *b; hidden *c, **d; };

typedef float four_floats __attribute__((vector_size(16)));
struct odd { four_floats vector; _BitInt(17) bits; va_list arguments; jmp_buf jump; };

int global = 3;
static const int fixed = 4;
static int unused_static;
const char *const words[] = {"a", "b"};
extern int elsewhere;
_Thread_local long per_thread;
struct { int x; } nameless_struct;
enum { LAMP_OFF, LAMP_ON } lamp;
int tentative[7];

extern int helper(struct opaque *, int);
extern void stop(int) __attribute__((noreturn));
extern int renamed(int) __asm__("other_name");
int old_helper();

static int lonely(struct list *a, struct bits b) { return a != 0 && b.a; }
static inline int lonely_inline(alias_enum a) { return a; }
int no_prototype() { return global; }
int old_style(a, b) int a; char *b; { return a + *b; }
int variadic(const char *format, ...) { return *format; }
void nothing(void) { }
line returns_struct(line a) { return a; }
int (*returns_pointer(int which))(int, int) { return which ? (int (*)(int, int))0 : 0; }
int decayed(int n, int a[static 3], char b[], int m[][4], operation op, const int k) {
  return a[0] + b[0] + m[0][0] + op(n, k);
}
int by_restrict(char *restrict a, const char *restrict b, any c, void *const d) { return *a + *b + c.i + !d; }
int wide(__int128 a, long double b, _Complex float c, bool d, va_list e) { return a > b; }
int variable(int n, int (*rows)[n]) { return rows[0][n - 1]; }
int calls(struct opaque *o, int n) {
  static int counter;
  extern int inner_declared(char *);
  struct local { int a; } l = {n};
  typedef struct local local_alias;
  local_alias *p = &l;
  counter++;
  if (n < 0) stop(n);
  return helper(o, n) + renamed(n) + elsewhere + old_helper(1, 2) + inner_declared(0) + p->a + counter;
}
