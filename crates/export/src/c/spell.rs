//! How C and C++ spell types, constants and texts.

use std::fmt::Write;

/// Why something cannot be written in an exported test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unspeakable(pub String);

pub type Spelled<T> = Result<T, Unspeakable>;

/// What is known of a type of numbers from its spelling alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Char,
    /// With the suffix of its constants and the beginning of its limits' names.
    Signed(&'static str, &'static str),
    Unsigned(&'static str, &'static str),
    Enum,
    /// A name of the subject's own, or no number at all.
    Other,
}

/// Words of a type that say nothing of what it holds.
fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "const" | "volatile" | "restrict" | "_Atomic" | "register"
    )
}

pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()))
}

pub fn kind(ty: &str) -> Kind {
    if ty.contains(['*', '[', '(']) {
        return Kind::Other;
    }
    let mut long = 0;
    let (mut unsigned, mut signed, mut short, mut char, mut known) =
        (false, false, false, false, false);
    for word in words(ty).filter(|word| !is_qualifier(word)) {
        match word {
            "long" => long += 1,
            "unsigned" => unsigned = true,
            "signed" => signed = true,
            "short" => short = true,
            "char" => char = true,
            "int" => {}
            "_Bool" | "bool" => return Kind::Bool,
            "enum" => return Kind::Enum,
            "int8_t" | "int16_t" => return Kind::Signed("", ""),
            "int32_t" => return Kind::Signed("", "INT32"),
            "int64_t" => return Kind::Signed("LL", "INT64"),
            "intmax_t" => return Kind::Signed("LL", "INTMAX"),
            "intptr_t" | "ptrdiff_t" | "ssize_t" | "off_t" | "time_t" => {
                return Kind::Signed("L", "");
            }
            "uint8_t" | "uint16_t" => return Kind::Unsigned("U", ""),
            "uint32_t" => return Kind::Unsigned("U", "UINT32"),
            "uint64_t" => return Kind::Unsigned("ULL", "UINT64"),
            "uintmax_t" => return Kind::Unsigned("ULL", "UINTMAX"),
            "uintptr_t" => return Kind::Unsigned("UL", "UINTPTR"),
            "size_t" => return Kind::Unsigned("UL", "SIZE"),
            _ => return Kind::Other,
        }
        known = true;
    }
    match (known, unsigned) {
        (false, _) => Kind::Other,
        (_, false) if char && !signed => Kind::Char,
        (_, false) if char || short => Kind::Signed("", ""),
        (_, true) if char || short => Kind::Unsigned("U", ""),
        (_, false) => match long {
            0 => Kind::Signed("", "INT"),
            1 => Kind::Signed("L", "LONG"),
            _ => Kind::Signed("LL", "LLONG"),
        },
        (_, true) => match long {
            0 => Kind::Unsigned("U", "UINT"),
            1 => Kind::Unsigned("UL", "ULONG"),
            _ => Kind::Unsigned("ULL", "ULLONG"),
        },
    }
}

/// The type that a declaration of the language names, or why there is none.
pub fn type_name(ty: &str, cpp: bool) -> Spelled<String> {
    let ty = ty.trim();
    let bare = words(ty).filter(|word| !is_qualifier(word)).last();
    let nameless = matches!(bare, None | Some("struct" | "union" | "enum"))
        || ty.contains(['{', '<', '?'])
        || ty.contains("anonymous")
        || ty.contains("unnamed");
    if nameless {
        let said = if ty.is_empty() { "a type" } else { ty };
        return Err(Unspeakable(format!("{said} has no name in C")));
    }
    let mut out = String::with_capacity(ty.len());
    let mut rest = ty;
    while !rest.is_empty() {
        let length = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let length = match length {
            0 => rest.chars().next().map_or(1, char::len_utf8),
            _ => length,
        };
        let (word, after) = rest.split_at(length);
        match word {
            "_Bool" => out.push_str("bool"),
            "restrict" if cpp => {}
            _ => out.push_str(word),
        }
        rest = after;
    }
    Ok(out.trim_end().to_owned())
}

/// `name` declared with type `ty`: `int (*compare)(int)`, `char text[8]`, `struct node *list`.
pub fn declare(ty: &str, name: &str, cpp: bool) -> Spelled<String> {
    let ty = type_name(ty, cpp)?;
    // The innermost `(*…)` of a function pointer, or of a pointer to an array, is where names stand.
    if let Some(at) = ty.rfind("(*") {
        let stars = ty[at + 1..]
            .find(|c| c != '*')
            .map_or(ty.len(), |n| at + 1 + n);
        return Ok(format!("{}{name}{}", &ty[..stars], &ty[stars..]));
    }
    if let Some(at) = ty.find('[') {
        let name = if name.starts_with('*') {
            format!("({name})")
        } else {
            name.to_owned()
        };
        return Ok(joined(ty[..at].trim_end(), &name) + &ty[at..]);
    }
    Ok(joined(&ty, name))
}

fn joined(ty: &str, name: &str) -> String {
    let gap = if ty.ends_with('*') { "" } else { " " };
    format!("{ty}{gap}{name}")
}

/// What a pointer type points at: `const char` for `const char *`.
pub fn pointee(ty: &str) -> Option<&str> {
    let mut ty = ty.trim();
    while let Some(rest) = ["const", "volatile", "restrict"]
        .iter()
        .find_map(|word| ty.strip_suffix(word))
    {
        ty = rest.trim_end();
    }
    (!ty.contains('(')).then_some(())?;
    ty.strip_suffix('*').map(str::trim_end)
}

/// The type without qualifiers, for comparing two.
pub fn plain(ty: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    for word in ty.split_whitespace().filter(|word| !is_qualifier(word)) {
        out.push(word);
    }
    out.join(" ").replace(" *", "*")
}

/// `value` as a constant of type `ty`.
pub fn integer(value: i128, ty: &str, cpp: bool) -> Spelled<String> {
    let small = i32::try_from(value).is_ok();
    let too_wide = || Unspeakable(format!("{value} is wider than any constant of C"));
    Ok(match kind(ty) {
        Kind::Bool => (if value == 0 { "false" } else { "true" }).to_owned(),
        Kind::Char => match u8::try_from(value) {
            Ok(byte @ (b' '..=b'~')) => format!("'{}'", character(byte, '\'')),
            Ok(0) => "'\\0'".to_owned(),
            Ok(b'\n') => "'\\n'".to_owned(),
            Ok(b'\t') => "'\\t'".to_owned(),
            _ => value.to_string(),
        },
        Kind::Signed(suffix, limits) => {
            let (least, most) = match suffix {
                "" => (i128::from(i32::MIN), i128::from(i32::MAX)),
                _ => (i128::from(i64::MIN), i128::from(i64::MAX)),
            };
            if value < least || value > most {
                return Err(too_wide());
            }
            match limits {
                "" if value == least => format!("(-{most}{suffix} - 1)"),
                "" => format!("{value}{}", if small { "" } else { suffix }),
                _ if value == least => format!("{limits}_MIN"),
                _ if value == most => format!("{limits}_MAX"),
                _ => format!("{value}{}", if small { "" } else { suffix }),
            }
        }
        Kind::Unsigned(suffix, limits) => {
            let most = match suffix {
                "U" => i128::from(u32::MAX),
                _ => i128::from(u64::MAX),
            };
            if value < 0 || value > most {
                return Err(too_wide());
            }
            match limits {
                "" => format!("{value}{}", if cpp { suffix } else { "" }),
                _ if value == most => format!("{limits}_MAX"),
                _ => format!("{value}{}", if small && !cpp { "" } else { suffix }),
            }
        }
        Kind::Enum | Kind::Other => {
            let text = if small && value != i128::from(i32::MIN) {
                value.to_string()
            } else if value == i128::from(i64::MIN) {
                format!("(-{}LL - 1)", i64::MAX)
            } else if i64::try_from(value).is_ok() {
                format!("{value}LL")
            } else if u64::try_from(value).is_ok() {
                format!("{value}ULL")
            } else {
                return Err(too_wide());
            };
            if cpp {
                format!("static_cast<{}>({text})", type_name(ty, cpp)?)
            } else {
                text
            }
        }
    })
}

pub fn single(value: f32) -> String {
    match value {
        _ if value.is_nan() => "NAN".to_owned(),
        _ if value.is_infinite() => infinity(value > 0.0),
        _ => format!("{value:?}f"),
    }
}

pub fn double(value: f64) -> String {
    match value {
        _ if value.is_nan() => "NAN".to_owned(),
        _ if value.is_infinite() => infinity(value > 0.0),
        _ => format!("{value:?}"),
    }
}

fn infinity(positive: bool) -> String {
    (if positive { "INFINITY" } else { "-INFINITY" }).to_owned()
}

fn character(byte: u8, quote: char) -> String {
    match byte {
        b'\\' => "\\\\".to_owned(),
        _ if char::from(byte) == quote => format!("\\{quote}"),
        b' '..=b'~' => char::from(byte).to_string(),
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\r' => "\\r".to_owned(),
        // Three digits, so that a digit which follows is not taken for a fourth.
        _ => format!("\\{byte:03o}"),
    }
}

/// `bytes` as a string literal, without adding or leaving out a NUL.
pub fn string(bytes: &[u8]) -> String {
    let mut out = "\"".to_owned();
    for (at, &byte) in bytes.iter().enumerate() {
        // Two question marks may begin a trigraph.
        if byte == b'?' && at > 0 && bytes[at - 1] == b'?' {
            out.push('\\');
        }
        out.push_str(&character(byte, '"'));
    }
    out.push('"');
    out
}

/// `bytes` as the content of an array in braces: characters where all can be read as such.
pub fn braces(bytes: &[u8], text: bool) -> String {
    let mut out = "{".to_owned();
    for (at, &byte) in bytes.iter().enumerate() {
        let gap = if at > 0 { ", " } else { "" };
        let _ = if text {
            write!(out, "{gap}'{}'", character(byte, '\''))
        } else {
            write!(out, "{gap}0x{byte:02x}")
        };
    }
    out.push('}');
    out
}

/// The text of an array that holds a string and nothing behind it.
pub fn string_in(bytes: &[u8]) -> Option<&[u8]> {
    let length = bytes.iter().position(|b| *b == 0)?;
    bytes[length..]
        .iter()
        .all(|b| *b == 0)
        .then(|| &bytes[..length])
}

/// Whether `bytes` are a string with its NUL, and not a byte more.
pub fn is_string(bytes: &[u8]) -> bool {
    string_in(bytes).is_some_and(|text| text.len() + 1 == bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_where_c_wants_them() {
        for (ty, wanted) in [
            ("int", "int x"),
            ("struct node *", "struct node *x"),
            ("const char *", "const char *x"),
            ("int [4][2]", "int x[4][2]"),
            ("char *[3]", "char *x[3]"),
            (
                "int (*)(const void *, const void *)",
                "int (*x)(const void *, const void *)",
            ),
            ("void (**)(int)", "void (**x)(int)"),
            ("int (*[4])(int)", "int (*x[4])(int)"),
            ("int (*)[8]", "int (*x)[8]"),
            ("_Bool", "bool x"),
            ("long unsigned int", "long unsigned int x"),
        ] {
            assert_eq!(declare(ty, "x", false).unwrap(), wanted, "{ty}");
        }
        assert_eq!(declare("int [4]", "*x", false).unwrap(), "int (*x)[4]");
        assert_eq!(
            declare("char *restrict", "x", true).unwrap(),
            "char *x",
            "C++ has no restrict"
        );
    }

    #[test]
    fn a_type_without_a_name_cannot_be_declared() {
        for ty in [
            "",
            "struct {...}",
            "struct",
            "union <anonymous>",
            "struct (anonymous) *",
        ] {
            assert!(declare(ty, "x", false).is_err(), "{ty}");
        }
    }

    #[test]
    fn constants_have_the_type_that_they_are_compared_with() {
        for (value, ty, c, cpp) in [
            (7, "int", "7", "7"),
            (-7, "const int", "-7", "-7"),
            (i128::from(i32::MIN), "int", "INT_MIN", "INT_MIN"),
            (i128::from(i64::MIN), "long", "LONG_MIN", "LONG_MIN"),
            (
                i128::from(i64::MIN),
                "off_t",
                "(-9223372036854775807L - 1)",
                "(-9223372036854775807L - 1)",
            ),
            (5_000_000_000, "long", "5000000000L", "5000000000L"),
            (3_000_000_000, "unsigned int", "3000000000U", "3000000000U"),
            (3, "unsigned", "3", "3U"),
            (i128::from(u64::MAX), "size_t", "SIZE_MAX", "SIZE_MAX"),
            (
                i128::from(u64::MAX) - 1,
                "uint64_t",
                "18446744073709551614ULL",
                "18446744073709551614ULL",
            ),
            (97, "char", "'a'", "'a'"),
            (39, "char", "'\\''", "'\\''"),
            (-3, "char", "-3", "-3"),
            (97, "unsigned char", "97", "97U"),
            (1, "_Bool", "true", "true"),
            (5, "level_t", "5", "static_cast<level_t>(5)"),
            (
                5_000_000_000,
                "level_t",
                "5000000000LL",
                "static_cast<level_t>(5000000000LL)",
            ),
        ] {
            assert_eq!(integer(value, ty, false).unwrap(), c, "{value} {ty}");
            assert_eq!(integer(value, ty, true).unwrap(), cpp, "{value} {ty}");
        }
        assert!(integer(i128::MAX, "__int128", false).is_err());
    }

    #[test]
    fn floats_are_written_exactly() {
        assert_eq!(double(0.1), "0.1");
        assert_eq!(double(1e300), "1e300");
        assert_eq!(double(-0.0), "-0.0");
        assert_eq!(single(0.1), "0.1f");
        assert_eq!(double(f64::NEG_INFINITY), "-INFINITY");
        assert_eq!(single(f32::NAN), "NAN");
    }

    #[test]
    fn texts_mean_their_bytes() {
        assert_eq!(string(b"a\"b\\\n"), r#""a\"b\\\n""#);
        assert_eq!(string(b"\x011"), r#""\0011""#);
        assert_eq!(string(b"??="), r#""?\?=""#);
        assert_eq!(string(b"\xff\0"), r#""\377\000""#);
        assert_eq!(braces(b"a'", true), r"{'a', '\''}");
        assert_eq!(braces(b"\x01\xff", false), "{0x01, 0xff}");
    }

    #[test]
    fn what_a_pointer_points_at() {
        assert_eq!(pointee("const char *"), Some("const char"));
        assert_eq!(pointee("struct node *const"), Some("struct node"));
        assert_eq!(pointee("char **"), Some("char *"));
        assert_eq!(pointee("int"), None);
        assert_eq!(pointee("int (*)(int)"), None);
    }
}
