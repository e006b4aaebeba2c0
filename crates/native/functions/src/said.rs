//! What the user said about a function, against what its file has: names that are there, and
//! functions that can be called. What does not fit is answered with what would.

use super::refused;
use crate::types::{Function, Kind, TypeId, Types};
use elsewise_driver::NativeError;

/// Names that a message lists at most.
const LISTED: usize = 8;

pub(super) fn usage(what: String) -> NativeError {
    NativeError::Usage(what)
}

/// A function that a harness can call.
pub(super) fn callable<'a>(types: &'a Types, name: &str) -> Result<&'a Function, NativeError> {
    let function = defined(types, name).map_err(usage)?;
    if name == "main" {
        return Err(usage(
            "`main` is the whole program: give the file alone, whose standard input and arguments \
             are the inputs then"
                .into(),
        ));
    }
    if function.variadic {
        return Err(refused(
            name,
            "it takes a variable number of arguments, of types that only its body knows; write a \
             function that calls it with those you care for",
        ));
    }
    let pointer_to = |wanted: fn(&Kind) -> bool| {
        let points = |ty: TypeId| match types.resolved(ty) {
            Some(Kind::Pointer { to: Some(to) }) => types.resolved(*to).is_some_and(wanted),
            _ => false,
        };
        let parameter = function.parameters.iter().find(|p| points(p.ty))?;
        Some(parameter.name.as_deref().unwrap_or("a parameter"))
    };
    // A `va_list` is a pointer to it.
    if let Some(list) = pointer_to(|kind| matches!(kind, Kind::Unsupported { .. })) {
        return Err(refused(
            name,
            format!(
                "`{list}` is a `va_list`, and which arguments stand behind it only its body knows; write \
                 a function with `...` that calls it, and one that calls that with those you care for"
            ),
        ));
    }
    if let Some(matrix) = pointer_to(|kind| matches!(kind, Kind::Array { count: None, .. })) {
        return Err(refused(
            name,
            format!(
                "how long the rows of `{matrix}` are is known only when it runs; write a function that calls \
                 it with a matrix of a fixed size"
            ),
        ));
    }
    Ok(function)
}

/// The function of `--valid TYPE:FUNCTION`: it takes one value, of that type, and says whether it
/// is valid.
pub(super) fn invariant<'a>(
    types: &'a Types,
    ty: &str,
    check: &str,
) -> Result<&'a Function, NativeError> {
    let wrong = |why: String| usage(format!("--valid {ty}:{check}: {why}"));
    let function = defined(types, check).map_err(wrong)?;
    let ([parameter], Some(returns)) = (&function.parameters[..], function.returns) else {
        return Err(wrong(format!(
            "`{check}` must take one parameter and return whether it is valid"
        )));
    };
    let says = matches!(
        types.resolved(returns),
        Some(Kind::Integer { .. } | Kind::Bool | Kind::Enum { .. } | Kind::Pointer { .. })
    );
    if !says {
        return Err(wrong(format!(
            "`{check}` must return whether the value is valid, as an int or a bool"
        )));
    }
    let names = names(types, parameter.ty);
    let tag = ["struct ", "union ", "enum "]
        .iter()
        .find_map(|keyword| ty.strip_prefix(keyword));
    let ty = tag.unwrap_or(ty);
    if !names.is_empty() && !names.iter().any(|name| name == ty) {
        let takes = types.spell(parameter.ty).unwrap_or_default();
        return Err(wrong(format!(
            "`{check}` takes a `{takes}`: write --valid {}:{check}",
            names[0]
        )));
    }
    Ok(function)
}

/// What a type is called, or that which it points to: by typedefs, and by the tag of a struct, union
/// or enumeration.
fn names(types: &Types, ty: TypeId) -> Vec<String> {
    let mut names = Vec::new();
    let mut next = Some(ty);
    while let Some(id) = next {
        next = match types.kind(id) {
            Kind::Typedef { name, to } => {
                names.push(name.clone());
                *to
            }
            Kind::Qualified { to, .. } | Kind::Pointer { to } => *to,
            Kind::Struct { name, .. }
            | Kind::Union { name, .. }
            | Kind::Enum { name, .. }
            | Kind::Opaque { name, .. } => {
                names.extend(name.clone());
                None
            }
            _ => None,
        };
    }
    names
}

fn defined<'a>(types: &'a Types, name: &str) -> Result<&'a Function, String> {
    match types.function(name) {
        Some(function) if function.defined => Ok(function),
        Some(_) => Err(format!(
            "`{name}` is only declared in the file: name the file that defines it"
        )),
        None => Err(format!(
            "there is no function `{name}` in the file: {}",
            instead(types, name)
        )),
    }
}

/// What else could have been meant.
fn instead(types: &Types, name: &str) -> String {
    // Those that a header brings are not what anybody looks for in a file.
    let here = |function: &&Function| {
        let place = function.place.as_ref();
        function.defined && place.is_none_or(|place| *place.file == *types.source)
    };
    let all: Vec<&str> = types
        .functions
        .iter()
        .filter(here)
        .map(|function| function.name.as_str())
        .collect();
    let mut near: Vec<(usize, &str)> = all
        .iter()
        .map(|known| (distance(known, name), *known))
        .filter(|(distance, _)| *distance <= name.chars().count().min(8) / 3)
        .collect();
    near.sort_unstable();
    if let Some((_, first)) = near.first() {
        return format!("did you mean `{first}`?");
    }
    let mut shown: Vec<&str> = all
        .iter()
        .copied()
        .filter(|known| known.contains(name) || name.contains(known))
        .collect();
    if shown.is_empty() {
        shown.clone_from(&all);
    }
    let more = shown.len().saturating_sub(LISTED);
    shown.truncate(LISTED);
    let list = shown.join(", ");
    let also = "where a function is there only with some macros, give them in --cflags";
    match (all.is_empty(), more) {
        (true, _) => format!("it defines none; {also}"),
        (_, 0) => format!("it has {list}; {also}"),
        (_, more) => format!("it has {list} and {more} more; {also}"),
    }
}

/// Letters that differ, in number, whatever their case; two that changed places count once.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (
        a.chars().flat_map(char::to_lowercase).collect(),
        b.chars().flat_map(char::to_lowercase).collect(),
    );
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let mut best = (rows[i][j] + usize::from(a[i] != b[j]))
                .min(row[j] + 1)
                .min(rows[i][j + 1] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_differ() {
        for (a, b, expected) in [
            ("find", "find", 0),
            ("find", "Find", 0),
            ("find", "fnid", 1),
            ("find", "fin", 1),
            ("", "abc", 3),
            ("list_add", "list_remove", 6),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }
}
