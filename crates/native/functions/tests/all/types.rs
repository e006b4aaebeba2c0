//! What is read of C types, functions and globals is what the compiler itself says of them.

use elsewise_functions::types::{FLAGS, Function, Kind, TypeId, Types, lengths, probe, reach};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// All that C has, and some that it has not.
const CORPUS: &str = include_str!("types/corpus.c");

fn clang() -> Command {
    Command::new(elsewise_driver::Toolchain::find().unwrap().clang)
}

fn succeeded(output: Output) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
}

/// The object of a source, which is `source.c` in this folder.
fn compile(folder: &Path, source: &str) -> Vec<u8> {
    let (file, object) = (folder.join("source.c"), folder.join("source.o"));
    fs::write(&file, source).unwrap();
    let mut clang = clang();
    clang.arg(&file).args(FLAGS).arg("-o").arg(&object);
    succeeded(clang.output().unwrap());
    fs::read(object).unwrap()
}

fn object(source: &str) -> Vec<u8> {
    compile(tempfile::tempdir().unwrap().path(), source)
}

fn read(source: &str) -> Types {
    Types::read(&object(source)).unwrap()
}

/// A pointer to this type, as C text: unlike the type itself, it differs when qualifiers do.
fn pointer(types: &Types, id: TypeId) -> Option<String> {
    types.declare(id, "(*)")
}

/// A C program that compiles when everything that was read is true, and whose `main` returns 0 when
/// all bit-fields are where they should be.
fn claims(types: &Types, program: &mut String) -> usize {
    let mut count = 0;
    let mut claim = |text: String| {
        count += 1;
        writeln!(program, "_Static_assert({text}, \"\");").unwrap();
    };
    let same = |one: &str, other: &str| {
        format!("__builtin_types_compatible_p(__typeof__({one}), {other})")
    };
    let mut fields = String::new();
    for id in types.ids() {
        let (ty, Some(name)) = (types.get(id), types.spell(id)) else {
            continue;
        };
        let sized = !matches!(
            types.resolved(id),
            None | Some(
                Kind::Function { .. } | Kind::Opaque { .. } | Kind::Array { count: None, .. }
            )
        );
        if sized {
            claim(format!("sizeof({name}) == {}", ty.size));
        }
        match &ty.kind {
            Kind::Integer { signed, .. } => {
                claim(format!(
                    "((({name})-1) < ({name})1) == {}",
                    u8::from(*signed)
                ));
            }
            Kind::Enum { values, signed, .. } => {
                claim(format!("((({name})-1) < 0) == {}", u8::from(*signed)));
                for (enumerator, value) in values {
                    claim(format!("{enumerator} == {value}"));
                }
            }
            Kind::Struct { members, .. } | Kind::Union { members, .. } => {
                for member in members {
                    let Some(field) = &member.name else { continue };
                    match member.bits {
                        None => {
                            let offset = member.offset;
                            claim(format!("__builtin_offsetof({name}, {field}) == {offset}"));
                            if let Some(spelled) = pointer(types, member.ty) {
                                claim(same(&format!("&(({name} *)0)->{field}"), &spelled));
                            }
                        }
                        Some(bits) => writeln!(
                            fields,
                            "{{ union {{ {name} s; unsigned char b[sizeof({name})]; }} u; \
                             __builtin_memset(&u, 0, sizeof u); u.s.{field} = -1; \
                             for (unsigned i = 0; i < 8 * sizeof u.b; i++) \
                             if ((u.b[i / 8] >> i % 8 & 1) != (i >= {0} && i < {0} + {1})) \
                             return 1; }}",
                            bits.offset, bits.size
                        )
                        .unwrap(),
                    }
                }
            }
            _ => {}
        }
    }
    for global in &types.globals {
        if let Some(spelled) = pointer(types, global.ty) {
            claim(same(&format!("&{}", global.name), &spelled));
        }
    }
    for function in &types.functions {
        // A declaration that does not agree with the one in the source is an error.
        if let Some(prototype) = types.prototype(function) {
            writeln!(program, "{prototype};").unwrap();
            count += 1;
        }
    }
    count += fields.lines().count();
    writeln!(program, "int main(void) {{\n{fields}return 0; }}").unwrap();
    count
}

#[test]
fn the_compiler_agrees_with_all_that_was_read() {
    let folder = tempfile::tempdir().unwrap();
    let types = Types::read(&compile(folder.path(), CORPUS)).unwrap();
    let mut program = "#include \"source.c\"\n".to_string();
    let count = claims(&types, &mut program);
    assert!(count > 300, "{count} claims");
    let file = folder.path().join("claims.c");
    fs::write(&file, program).unwrap();
    let mut clang = clang();
    clang
        .arg(&file)
        .args(["-w", "-O1", "-o"])
        .arg(folder.path().join("claims"));
    // What calls functions that nobody defines is not part of the program.
    clang.args(["-ffunction-sections", "-Wl,--gc-sections"]);
    succeeded(clang.output().unwrap());
    succeeded(Command::new(folder.path().join("claims")).output().unwrap());
}

fn function<'a>(types: &'a Types, name: &str) -> &'a Function {
    let found = types.function(name);
    found.unwrap_or_else(|| panic!("there is no {name}"))
}

#[test]
fn declarations_are_spelled_as_in_the_source() {
    let prelude = "struct node { struct node *next; }; struct opaque; typedef unsigned int word; \
                   typedef struct { int x; } point; enum color { RED }; union any { int i; };";
    let lines = [
        "int x",
        "unsigned char x",
        "signed char x",
        "long long x",
        "unsigned __int128 x",
        "_Bool x",
        "long double x",
        "struct node x",
        "struct node *x",
        "const struct node *x",
        "struct opaque *x",
        "word x[2]",
        "point *x",
        "enum color x",
        "union any x",
        "int x[4]",
        "int x[2][3]",
        "int (*x)[2][3]",
        "const char *const *x",
        "volatile int x",
        "const volatile int x",
        "void *x",
        "const void *x",
        "void (*x)(void)",
        "int (*x)()",
        "int (*x)(void *, const void *)",
        "int (*x)(const char *, ...)",
        "int (*x[3])(int)",
        "char *(*(*x)[3])(void)",
        "void (*(*x)(int, void (*)(int)))(int)",
        "int *volatile x",
        "int *(*x)(int (*)[3], double)",
        "_Atomic int x",
    ];
    for line in lines {
        let types = read(&format!("{prelude}\n{line};"));
        let global = types.global("x").unwrap();
        assert_eq!(types.declare(global.ty, "x").as_deref(), Some(line));
        assert!(global.defined && !global.is_static, "{line}");
        let constant = line.starts_with("const volatile int");
        assert_eq!(global.is_const, constant, "{line}");
    }
}

#[test]
fn functions_are_read_with_all_that_a_caller_must_know() {
    let types = read(CORPUS);
    let facts = |name: &str| {
        let found = function(&types, name);
        (
            found.is_static,
            found.defined,
            found.prototyped,
            found.variadic,
        )
    };
    assert_eq!(facts("lonely"), (true, true, true, false));
    assert_eq!(facts("lonely_inline"), (true, true, true, false));
    assert_eq!(facts("no_prototype"), (false, true, false, false));
    assert_eq!(facts("old_style"), (false, true, false, false));
    assert_eq!(facts("variadic"), (false, true, true, true));
    assert_eq!(facts("helper"), (false, false, true, false));
    assert_eq!(facts("old_helper"), (false, false, false, false));
    assert_eq!(facts("inner_declared"), (false, false, true, false));
    assert!(types.function("never_mentioned").is_none());

    assert_eq!(function(&types, "renamed").symbol, "other_name");
    assert_eq!(function(&types, "helper").symbol, "helper");

    let prototype = |name: &str| types.prototype(function(&types, name));
    assert_eq!(
        prototype("decayed").as_deref(),
        Some("int decayed(int n, int *a, char *b, int (*m)[4], operation *op, const int k)")
    );
    assert_eq!(
        prototype("returns_pointer").as_deref(),
        Some("int (*returns_pointer(int which))(int, int)")
    );
    assert_eq!(
        prototype("helper").as_deref(),
        Some("int helper(struct opaque *p0, int p1)")
    );
    // How long a row is, is known when the program runs only.
    assert_eq!(
        prototype("variable").as_deref(),
        Some("int variable(int n, int (*rows)[])")
    );
    // What cannot be spelled is not.
    assert_eq!(prototype("wide"), None);
}

#[test]
fn what_is_only_declared_is_described_when_probed_for() {
    let source = "extern const int limits[]; extern void stop(int) __attribute__((noreturn)); \
                  extern int compare(const void *, const void *); void sort(void *); \
                  int f(int n) { if (n) stop(n); sort(compare); return limits[n]; }";
    let plain = read(source);
    assert!(plain.function("stop").is_none() && plain.global("limits").is_none());

    let probed = format!("{source}\n{}", probe(&["limits", "stop", "compare"]));
    let types = read(&probed);
    let stop = function(&types, "stop");
    assert!(stop.noreturn && !stop.defined && !stop.is_static);
    assert_eq!(types.prototype(stop).as_deref(), Some("void stop(int p0)"));
    assert!(!function(&types, "compare").noreturn);
    assert!(!function(&types, "sort").noreturn);
    let limits = types.global("limits").unwrap();
    assert!(limits.is_const && !limits.defined);
    assert_eq!(
        types.declare(limits.ty, "limits").as_deref(),
        Some("const int limits[]")
    );
    assert_eq!(types.globals.len(), 1);
}

#[test]
fn references_are_followed_through_code_and_data() {
    let object = object(
        "extern int outside(int), unused_outside(int), in_table(int), elsewhere; int printf(const char *, ...);
         static int first(int a) { return outside(a); }
         static int second(int a) { return a; }
         static int third(int a) { return unused_outside(a); }
         static int (*const table[])(int) = {first, in_table};
         static struct { int (*f)(int); } *indirect = &(typeof(*indirect)){second};
         int counted, other; _Thread_local int mine;
         static const char *text = \"text\";
         static int helper(int n) { static int calls; return calls++ + counted + n; }
         int f(int n) { printf(\"%s %d\", text, mine); return table[n & 1](n) + helper(n) + indirect->f(n) + elsewhere; }
         int g(int n) { return n ? g(n - 1) : third(other); }
         int h(int n) { return n; }",
    );
    let lists = |name: &str| {
        let found = reach(&object, name).unwrap();
        [
            found.functions,
            found.globals,
            found.statics,
            found.undefined,
        ]
        .map(|list| list.join(" "))
    };
    assert_eq!(
        lists("f"),
        [
            "f first helper second",
            "counted indirect mine table text",
            "helper.calls",
            "elsewhere in_table outside printf"
        ]
    );
    assert_eq!(lists("g"), ["g third", "other", "", "unused_outside"]);
    assert_eq!(lists("h"), ["h", "", "", ""]);
    assert!(reach(&object, "nowhere").is_err());
    assert!(reach(&object, "counted").is_err());
}

#[test]
fn arrays_and_their_lengths_are_told_by_names_and_order() {
    let prelude = "typedef unsigned long size_t; typedef struct _IO_FILE FILE; struct opaque; \
                   struct point { int x, y; }; typedef struct { struct point *at; int used; } vec; \
                   struct list { struct list *next; }; typedef unsigned char byte;";
    // What each signature means is what its library's manual says, or its author's habit.
    let signatures: &[(&str, &[(usize, usize)])] = &[
        (
            "void *memcpy_(void *dest, const void *src, size_t n)",
            &[(0, 2), (1, 2)],
        ),
        ("void *memset_(void *s, int c, size_t n)", &[(0, 2)]),
        (
            "int memcmp_(const void *s1, const void *s2, size_t n)",
            &[(0, 2), (1, 2)],
        ),
        (
            "void qsort_(void *base, size_t nmemb, size_t size, int (*f)(const void *, const void *))",
            &[],
        ),
        (
            "void *bsearch_(const void *key, const void *base, size_t nmemb, size_t size)",
            &[],
        ),
        (
            "size_t fread_(void *ptr, size_t size, size_t nmemb, FILE *stream)",
            &[],
        ),
        ("long read_(int fd, void *buf, size_t count)", &[(1, 2)]),
        ("char *fgets_(char *s, int size, FILE *stream)", &[(0, 1)]),
        (
            "int snprintf_(char *str, size_t size, const char *format)",
            &[(0, 1)],
        ),
        (
            "int strncmp_(const char *s1, const char *s2, size_t n)",
            &[(0, 2), (1, 2)],
        ),
        (
            "size_t strlcpy_(char *dst, const char *src, size_t size)",
            &[(0, 2)],
        ),
        ("char *strcpy_(char *dst, const char *src)", &[]),
        (
            "long getline_(char **lineptr, size_t *n, FILE *stream)",
            &[],
        ),
        ("int main_(int argc, char **argv)", &[(1, 0)]),
        (
            "int getopt_(int argc, char *const argv[], const char *optstring)",
            &[(1, 0)],
        ),
        (
            "void *ParseWithLength(const char *value, size_t buffer_length)",
            &[(0, 1)],
        ),
        (
            "int PrintPreallocated(struct list *item, char *buffer, const int length, int format)",
            &[(1, 2)],
        ),
        (
            "void *CreateIntArray(const int *numbers, int count)",
            &[(0, 1)],
        ),
        (
            "int csv_parse(struct opaque *p, const void *s, size_t len, void (*cb)(void *), void *data)",
            &[(1, 2)],
        ),
        (
            "size_t csv_write(void *dest, size_t dest_size, const void *src, size_t src_size)",
            &[(0, 1), (2, 3)],
        ),
        (
            "int set_input(struct opaque *parser, const unsigned char *input, size_t size)",
            &[(1, 2)],
        ),
        (
            "int uncompress(byte *dest, unsigned long *destLen, const byte *source, unsigned long sourceLen)",
            &[(2, 3)],
        ),
        (
            "unsigned crc(unsigned crc, const byte *buf, unsigned len)",
            &[(1, 2)],
        ),
        ("void sort(int *a, int n)", &[(0, 1)]),
        ("int find(const int *a, int key, int n)", &[(0, 2)]),
        (
            "void add(const double *a, const double *b, double *out, int n)",
            &[(0, 3), (1, 3), (2, 3)],
        ),
        ("void hull(struct point *points, int npoints)", &[(0, 1)]),
        ("int area(const struct point *p, size_t count)", &[(0, 1)]),
        ("void total(int num_items, const int *items)", &[(1, 0)]),
        (
            "void both(int *a, int na, int *b, int nb)",
            &[(0, 1), (2, 3)],
        ),
        (
            "void name_of(const char *name, char *out, size_t nameLen)",
            &[(0, 2)],
        ),
        ("void vec_reserve(vec *v, size_t n)", &[]),
        ("void vec_sort(vec *vecs, size_t n)", &[(0, 1)]),
        ("int list_nth(struct list *l, int n)", &[]),
        ("int array_del(vec *arr, size_t index, size_t count)", &[]),
        ("int nothing(int *x, int y)", &[]),
        ("int price(int *item, int discount)", &[]),
        ("void range(int *a, int lo, int hi)", &[]),
        ("int opaque(struct opaque *o, int len)", &[]),
        ("void call(int (*f)(int), int n)", &[]),
        ("int flagged(const char *text, unsigned char n)", &[]),
    ];
    let bodies = signatures
        .iter()
        .map(|(signature, _)| format!("{signature} {{ __builtin_trap(); }}\n"));
    let types = read(&format!("{prelude}\n{}", bodies.collect::<String>()));
    let wrong: Vec<String> = signatures
        .iter()
        .filter_map(|(signature, expected)| {
            let before = signature.split('(').next()?;
            let name = before.rsplit([' ', '*']).next()?;
            let found = lengths(&types, function(&types, name));
            (found != *expected).then(|| format!("{signature}: {found:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn variables_to_be_filled_are_declared_without_const() {
    let cases = [
        ("const int x", "int x"),
        ("char *const x", "char *x"),
        ("const char *const x", "const char *x"),
        ("fixed x", "int x"),
        ("fixed *x", "fixed *x"),
        ("const word x", "word x"),
        ("volatile fixed x", "volatile int x"),
        ("row x", "int x[3]"),
        ("const plain x", "plain x"),
        ("const struct point x", "struct point x"),
        ("int (*const x)(const char *)", "int (*x)(const char *)"),
    ];
    let prelude = "typedef const int fixed; typedef unsigned word; typedef const int row[3]; \
                   typedef int plain[2]; struct point { int x, y; };";
    for (line, expected) in cases {
        let types = read(&format!("{prelude}\nextern {line};\n{}", probe(&["x"])));
        let global = types.global("x").unwrap();
        let found = types.declare_mutable(global.ty, "x");
        assert_eq!(found.as_deref(), Some(expected), "{line}");
    }
}

#[test]
fn globals_and_types_say_where_they_are_from() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("own.h"), "struct shown { int a; };\n").unwrap();
    let object = compile(
        folder.path(),
        "#include \"own.h\"
         struct shown shown; static const int fixed = 1; static struct { int x; } nameless;
         struct kept { int a; } *kept(void) { static int counter; struct local { int b; } l = {1};
           counter += l.b + nameless.x; return 0; }",
    );
    let types = Types::read(&object).unwrap();
    let source = fs::canonicalize(folder.path().join("source.c")).unwrap();
    assert_eq!(fs::canonicalize(&types.source).unwrap(), source);
    let names: Vec<&str> = types.globals.iter().map(|global| &*global.name).collect();
    assert!(!names.contains(&"counter") && names.len() == 3, "{names:?}");
    let facts = |name: &str| {
        let global = types.global(name).unwrap();
        (global.is_static, global.is_const, global.defined)
    };
    assert_eq!(facts("shown"), (false, false, true));
    assert_eq!(facts("fixed"), (true, true, true));
    assert_eq!(facts("nameless"), (true, false, true));

    let named = |wanted: &str| {
        let found = types
            .types
            .iter()
            .find(|ty| matches!(&ty.kind, Kind::Struct { name: Some(name), .. } if name == wanted));
        found.unwrap_or_else(|| panic!("there is no {wanted}"))
    };
    let place = |wanted: &str| {
        let place = named(wanted).place.clone().unwrap();
        let file = Path::new(&*place.file).file_name().unwrap().to_owned();
        (file.into_string().unwrap(), place.line)
    };
    assert_eq!(place("shown"), ("own.h".to_string(), 1));
    assert_eq!(place("kept"), ("source.c".to_string(), 3));
    let kept = function(&types, "kept").place.clone().unwrap();
    assert_eq!((&*kept.file, kept.line), (&*types.source, 3));

    // Neither a type without a name nor one inside a function can be spelled.
    assert_eq!(types.spell(types.global("nameless").unwrap().ty), None);
    let local = types.ids().find(|id| types.get(*id).local).unwrap();
    assert_eq!(types.spell(local), None);
}

#[test]
fn what_is_no_object_is_an_error_that_says_what_to_do() {
    for (bytes, words) in [
        (&b""[..], "compile it again"),
        (b"\x7fELF", "compile it again"),
    ] {
        let error = Types::read(bytes).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("source.c");
    fs::write(&file, "int f(void) { return 1; }").unwrap();
    let object = folder.path().join("source.o");
    succeeded(
        clang()
            .arg(&file)
            .args(["-c", "-o"])
            .arg(&object)
            .output()
            .unwrap(),
    );
    let error = Types::read(&fs::read(object).unwrap()).unwrap_err();
    assert!(
        error.to_string().contains("check that it is the right one"),
        "{error}"
    );
}
