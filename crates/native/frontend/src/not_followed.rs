//! What to do about calls into code that is not instrumented: which library has it, and how that is built so that
//! input is followed through it.

use crate::stdlib;
use elsewise_campaign::{ApproximationPlace, Summary};
use elsewise_driver::cc::is_of_standard_library;
use elsewise_driver::{Program, libraries};
use elsewise_explore::ApproximationKind;
use elsewise_frontend::Hint;
use std::collections::{BTreeMap, BTreeSet};

/// Functions of one library that are named.
const NAMED: usize = 3;
/// Beginnings of the names of libraries that come with the compiler and the system, and are not built by anybody.
const OF_SYSTEM: [&str; 9] = [
    "libc.so",
    "libm.so",
    "libpthread.so",
    "libdl.so",
    "librt.so",
    "libresolv.so",
    "libcrypt.so",
    "libgcc_s.so",
    "ld-linux",
];
const OF_CXX: [&str; 2] = ["libstdc++.so", "libc++.so"];

/// Where the code of functions is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Code {
    /// The C++ standard library.
    Cxx,
    System(String),
    Library(String),
    /// An object or archive that is linked into the program.
    Linked,
}

/// What to try so that these calls are followed.
pub fn hints(summary: &Summary, program: &Program) -> Vec<Hint> {
    let opaque = ApproximationKind::OpaqueCall.word();
    let places = &summary.approximation_places;
    let mut hints = Vec::new();
    let of_cxx = |at: &ApproximationPlace| {
        is_of_standard_library(&at.callee) || is_of_standard_library(&at.function)
    };
    if places.iter().any(of_cxx) && stdlib::found().is_none() {
        hints.push((
            "elsewise stdlib".into(),
            "builds the C++ library once, so that input is followed through it".into(),
        ));
    }
    let calls = places.iter().filter(|at| at.kind == opaque && !of_cxx(at));
    let callees: BTreeSet<String> = calls
        .map(|at| at.callee.clone())
        .filter(|callee| !callee.is_empty())
        .collect();
    if callees.is_empty() {
        return hints;
    }
    let libraries = libraries::defining(&program.instrumented, &callees);
    let mut by_code: BTreeMap<Code, Vec<&str>> = BTreeMap::new();
    for callee in &callees {
        let code = code(libraries.get(callee).map(String::as_str));
        by_code.entry(code).or_default().push(callee);
    }
    let told = by_code.iter();
    hints.extend(told.filter_map(|(code, names)| hint(code, names)));
    hints
}

fn code(library: Option<&str>) -> Code {
    let begins = |all: &[&str], name: &str| all.iter().any(|begin| name.starts_with(begin));
    match library {
        Some(name) if begins(&OF_CXX, name) => Code::Cxx,
        Some(name) if begins(&OF_SYSTEM, name) => Code::System(name.to_string()),
        Some(name) => Code::Library(name.to_string()),
        None => Code::Linked,
    }
}

fn hint(code: &Code, names: &[&str]) -> Option<Hint> {
    let shown: Vec<String> = names
        .iter()
        .take(NAMED)
        .map(|name| elsewise_report::readable_name(name).into_owned())
        .collect();
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = format!("{}{more}", shown.join(", "));
    match code {
        // There is a hint for that.
        Code::Cxx => None,
        Code::Library(library) => {
            let short = library.split(".so").next().unwrap_or(library);
            Some((
                "CC=elsewise-cc".into(),
                format!(
                    "{names} of {short}: build that library with it, or name its sources beside the subject's"
                ),
            ))
        }
        Code::System(library) => {
            let short = library.split(".so").next().unwrap_or(library);
            Some((
                "a file with it".into(),
                format!(
                    "{names} of {short}: it has no model; input is followed through a definition in a source of the subject"
                ),
            ))
        }
        Code::Linked => Some((
            "CC=elsewise-cc".into(),
            format!(
                "{names}: build the object or archive with it, or name the sources beside the subject's"
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_library_has_its_cure() {
        let told = |library: Option<&str>, names: &[&str]| {
            let (command, meaning) = hint(&code(library), names).unwrap();
            format!("{command}: {meaning}")
        };
        insta::assert_snapshot!(told(Some("libz.so.1"), &["crc32"]), @"CC=elsewise-cc: crc32 of libz: build that library with it, or name its sources beside the subject's");
        insta::assert_snapshot!(told(Some("libc.so.6"), &["strptime"]), @"a file with it: strptime of libc: it has no model; input is followed through a definition in a source of the subject");
        insta::assert_snapshot!(told(None, &["a", "b", "c", "d"]), @"CC=elsewise-cc: a, b, c and 1 more: build the object or archive with it, or name the sources beside the subject's");
        assert_eq!(hint(&code(Some("libstdc++.so.6")), &["x"]), None);
    }
}
