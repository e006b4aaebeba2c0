//! Which parameters of a function are arrays, and which parameters say how long they are.
//!
//! C does not say it, but names and order do: `(int *items, int nitems)`,
//! `(const char *value, size_t buffer_length)`, `(void *to, const void *from, size_t n)`. What is
//! guessed here can be wrong; whoever knows better says so by hand.

use super::{Function, Kind, Member, Parameter, TypeId, Types};

/// Pointer parameters with the parameter that counts what they point to (in bytes for `void *`), by
/// their places in the list of parameters, in order. No pointer is there twice; a length can be, for
/// several arrays that are equally long.
pub fn lengths(types: &Types, function: &Function) -> Vec<(usize, usize)> {
    let name = |parameter: &Parameter| parameter.name.clone().unwrap_or_default();
    let names: Vec<String> = function.parameters.iter().map(name).collect();
    let of: Vec<TypeId> = function.parameters.iter().map(|p| p.ty).collect();
    pairs(roles(types, &names, &of))
}

/// The same for the members of a struct: `{ char *buffer; size_t length; }`. Where there is a
/// capacity, it counts, and what is used of it is something else. What counts other structs or
/// pointers is mostly how many there are in a chain.
pub fn member_lengths(types: &Types, members: &[Member]) -> Vec<(usize, usize)> {
    let name = |member: &Member| member.name.clone().unwrap_or_default();
    let names: Vec<String> = members.iter().map(name).collect();
    let of: Vec<TypeId> = members.iter().map(|member| member.ty).collect();
    let mut roles = roles(types, &names, &of);
    for (role, member) in roles.iter_mut().zip(members) {
        let chain = match &role {
            Role::Array(array) => match array.target {
                Target::Type(id) => matches!(
                    types.kind(id),
                    Kind::Struct { .. } | Kind::Union { .. } | Kind::Pointer { .. }
                ),
                Target::Void | Target::Character => false,
            },
            _ => false,
        };
        if chain || member.bits.is_some() {
            *role = Role::Other;
        }
    }
    let is_capacity = |name: &String| words(name).iter().any(|w| CAPACITY.contains(&w.as_str()));
    if (0..roles.len()).any(|at| matches!(roles[at], Role::Length(_)) && is_capacity(&names[at])) {
        for (role, name) in roles.iter_mut().zip(&names) {
            if matches!(role, Role::Length(length) if length.of.is_empty()) && !is_capacity(name) {
                *role = Role::Other;
            }
        }
        // One array and its capacity, wherever it stands.
        if let Some(pair) = only(&roles) {
            return vec![pair];
        }
    }
    pairs(roles)
}

fn roles(types: &Types, names: &[String], of: &[TypeId]) -> Vec<Role> {
    let pairs = of.iter().zip(names);
    pairs
        .map(|(ty, name)| role(types, name, *ty, names))
        .collect()
}

fn pairs(parameters: Vec<Role>) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = named(&parameters);
    let is_paired = |out: &[(usize, usize)], at: usize| {
        out.iter()
            .any(|(pointer, length)| *pointer == at || *length == at)
    };
    // Right behind the pointer, and then right before it, where that is still to be had.
    for forward in [true, false] {
        for at in 0..parameters.len() {
            let other = match forward {
                true => at.checked_add(1),
                false => at.checked_sub(1),
            };
            let Some(other) = other else { continue };
            if is_paired(&out, at) || is_paired(&out, other) {
                continue;
            }
            if let Some(run) = beside(&parameters, at, other, forward) {
                out.extend(run.into_iter().map(|pointer| (pointer, other)));
            }
        }
    }
    if out.is_empty() {
        out.extend(only(&parameters));
    }
    out.sort_unstable();
    out
}

/// What a parameter may be.
enum Role {
    Array(Array),
    Length(Length),
    Other,
}

struct Array {
    name: String,
    target: Target,
    /// What it points to cannot be written.
    constant: bool,
}

#[derive(PartialEq)]
enum Target {
    Void,
    Character,
    Type(TypeId),
}

struct Length {
    /// What it is the length of, by its name: `buf` of `buflen`; empty for `n` or `size`.
    of: String,
    /// Room for so much, rather than so much that is there.
    room: bool,
}

/// Lengths whose names contain the name of a pointer are that pointer's.
fn named(parameters: &[Role]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for (at, parameter) in parameters.iter().enumerate() {
        let Role::Array(array) = parameter else {
            continue;
        };
        let mine = parameters.iter().position(|other| match other {
            Role::Length(length) => same_name(&array.name, &length.of),
            _ => false,
        });
        out.extend(mine.map(|length| (at, length)));
    }
    out
}

/// `buf` is short for `buffer`, and `items` many of an `item`.
fn same_name(one: &str, other: &str) -> bool {
    let (short, long) = match one.len() <= other.len() {
        true => (one, other),
        false => (other, one),
    };
    match short.len() {
        0 => false,
        1 => short == long,
        _ => long.starts_with(short),
    }
}

/// The pointers that the length at `other` counts, when it stands beside the pointer at `at`.
fn beside(parameters: &[Role], at: usize, other: usize, forward: bool) -> Option<Vec<usize>> {
    let (Role::Array(array), Role::Length(length)) = (&parameters[at], parameters.get(other)?)
    else {
        return None;
    };
    let beyond = match forward {
        true => other.checked_add(1),
        false => other.checked_sub(1),
    };
    let beyond = beyond.and_then(|beyond| parameters.get(beyond));
    // So many elements of such a size: how many bytes is no parameter.
    if array.target == Target::Void && matches!(beyond, Some(Role::Length(_))) {
        return None;
    }
    let mut run = vec![at];
    if !forward || !length.of.is_empty() {
        return Some(run);
    }
    for before in (0..at).rev() {
        match &parameters[before] {
            Role::Array(same) if same.target == array.target => run.push(before),
            _ => break,
        }
    }
    let writable = |at: &usize| {
        matches!(
            &parameters[*at],
            Role::Array(Array {
                constant: false,
                ..
            })
        )
    };
    // The room is where text is written to; the text that is read ends by itself.
    if array.target == Target::Character && length.room && run.iter().any(writable) {
        run.retain(writable);
    }
    Some(run)
}

/// One pointer and one length, wherever they stand: `(int *a, int key, int n)`.
fn only(parameters: &[Role]) -> Option<(usize, usize)> {
    let mut arrays = (0..parameters.len()).filter(|at| matches!(parameters[*at], Role::Array(_)));
    let mut lengths = (0..parameters.len()).filter(|at| matches!(parameters[*at], Role::Length(_)));
    match (arrays.next(), arrays.next(), lengths.next(), lengths.next()) {
        (Some(array), None, Some(length), None) => Some((array, length)),
        _ => None,
    }
}

fn role(types: &Types, name: &str, ty: TypeId, names: &[String]) -> Role {
    match types.resolved(ty) {
        Some(Kind::Integer {
            character: false, ..
        }) => length(name)
            .or_else(|| length_of(name, names))
            .map_or(Role::Other, Role::Length),
        Some(Kind::Pointer { to }) => array(types, name, *to).map_or(Role::Other, Role::Array),
        _ => Role::Other,
    }
}

/// `nb` beside a parameter `b`.
fn length_of(name: &str, names: &[String]) -> Option<Length> {
    let of = name.strip_prefix('n')?;
    names.iter().any(|other| other == of).then(|| Length {
        of: of.to_lowercase(),
        room: false,
    })
}

fn array(types: &Types, name: &str, to: Option<TypeId>) -> Option<Array> {
    let resolved = to.and_then(|to| types.resolve(to));
    let target = match resolved {
        None => Target::Void,
        Some(id) => match types.kind(id) {
            Kind::Integer { character, .. } if *character => Target::Character,
            Kind::Struct { members, .. } => {
                // A pointer to something that has parts or a length of its own is mostly one object
                // that the function works on, and the number beside it something else.
                let container = members.iter().any(|member| {
                    let counts = member.name.as_deref().and_then(length).is_some();
                    counts || matches!(types.resolved(member.ty), Some(Kind::Pointer { .. }))
                });
                if container && !is_plural(name) {
                    return None;
                }
                Target::Type(id)
            }
            Kind::Function { .. } | Kind::Opaque { .. } | Kind::Unsupported { .. } => return None,
            Kind::Array { count: None, .. } => return None,
            _ => Target::Type(id),
        },
    };
    Some(Array {
        name: name.to_lowercase(),
        target,
        constant: to.is_some_and(|to| types.is_const(to)),
    })
}

fn is_plural(name: &str) -> bool {
    let name = name.to_lowercase();
    name.len() > 2 && name.ends_with('s') && !name.ends_with("ss")
}

/// Names that mean a length by themselves, and words in names that make one.
const WORDS: &[&str] = &[
    "len",
    "length",
    "size",
    "count",
    "cnt",
    "sz",
    "siz",
    "nmemb",
    "nbytes",
    "nelem",
    "nelems",
    "cap",
    "capacity",
    "alloc",
    "allocated",
    "num",
    "n",
];
/// Words that may be the end of a longer one: `buflen`.
const ENDINGS: &[&str] = &["length", "len", "size", "siz", "count", "cnt", "sz"];
/// Of these, those that mean what there is room for, used or not.
const CAPACITY: &[&str] = &["cap", "capacity", "alloc", "allocated"];
/// Of these, those that mean room.
const ROOM: &[&str] = &["size", "siz", "sz", "cap", "capacity"];
/// Words that end like a length and are none.
const OTHERS: &[&str] = &["account", "discount", "viscount"];

/// What a name says when it is that of a length.
fn length(name: &str) -> Option<Length> {
    let words = words(name);
    let found = |word: &str, of: &[String]| {
        Some(Length {
            of: of.concat(),
            room: ROOM.contains(&word),
        })
    };
    let (first, rest) = words.split_first()?;
    let (last, before) = words.split_last()?;
    if first == "argc" {
        return found("n", &["argv".to_string()]);
    }
    // `len`, `buffer_length`, `items_n`; `num_items`, `n_items`, `size_of_table`.
    if WORDS.contains(&last.as_str()) {
        return found(last, before);
    }
    if WORDS.contains(&first.as_str()) {
        let rest = match rest.split_first() {
            Some((of, rest)) if of == "of" => rest,
            _ => rest,
        };
        return found(first, rest);
    }
    if OTHERS.contains(&last.as_str()) {
        return None;
    }
    // `buflen`.
    for ending in ENDINGS {
        if let Some(of) = last.strip_suffix(ending) {
            return found(ending, &[before.concat(), of.to_string()]);
        }
    }
    // `nitems`.
    match (words.len(), first.strip_prefix('n')) {
        (1, Some(of)) if of.len() > 2 && of.ends_with('s') => found("n", &[of.to_string()]),
        _ => None,
    }
}

/// The words of a name, in small letters: of `bufferLength`, `buffer_length` and `BUFFER_LENGTH`
/// `buffer` and `length`.
fn words(name: &str) -> Vec<String> {
    let mut out: Vec<String> = vec![String::new()];
    let mut small = false;
    for letter in name.chars() {
        if letter == '_' || (letter.is_ascii_uppercase() && small) {
            out.push(String::new());
        }
        small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        if letter != '_' {
            let word = out.last_mut();
            word.into_iter()
                .for_each(|word| word.push(letter.to_ascii_lowercase()));
        }
    }
    out.retain(|word| !word.is_empty());
    out
}
