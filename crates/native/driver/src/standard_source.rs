//! Which files are the C++ standard library's own, and which are headers of the system: failures in them are where they
//! were called.

use std::borrow::Cow;
use std::path::{Component, Path};

/// What the sources are called in maps and places.
pub(crate) const NAME: &str = "<libstdc++>";

/// Is a file one of the library's sources or headers, GNU's or LLVM's?
pub fn is_source(file: &str) -> bool {
    let in_headers = || {
        let (_, below) = file.rsplit_once("/c++/")?;
        let folder = below.split('/').next()?.trim_start_matches('v');
        let installed = file.contains("/include/");
        Some(installed && folder.starts_with(|first: char| first.is_ascii_digit()))
    };
    file.contains(NAME) || in_headers() == Some(true) || is_checking(file)
}

/// A file as people name it. What a library has is in angle brackets, as it is included: `<bits/stl_map.h>`. Other
/// files are named from `here`, which ends with a slash, where they lie below it.
pub fn named<'a>(file: &'a str, here: Option<&str>) -> Cow<'a, str> {
    if let Some(at) = file.find(NAME) {
        return file[at..].into();
    }
    let whole = match ["/../", "/./", "//"].iter().any(|odd| file.contains(odd)) {
        true => Cow::Owned(straight(file)),
        false => Cow::Borrowed(file),
    };
    if let Some(included) = included(&whole) {
        return format!("<{included}>").into();
    }
    match here.and_then(|here| whole.strip_prefix(here)) {
        Some(below) => below.to_string().into(),
        None => whole,
    }
}

/// What a header that is installed on the system is included by.
fn included(file: &str) -> Option<&str> {
    if let Some((_, below)) = file.rsplit_once("/c++/")
        && is_source(file)
    {
        return Some(below.split_once('/')?.1);
    }
    let below = ["/usr/include/", "/usr/local/include/"]
        .iter()
        .find_map(|folder| file.strip_prefix(folder));
    // Those of the compiler itself.
    let compilers = || {
        let installed = file.strip_prefix("/usr/lib/")?;
        let (folder, below) = installed.split_once("/include/")?;
        (folder.starts_with("gcc/") || folder.contains("/clang/")).then_some(below)
    };
    let below = below.or_else(compilers)?;
    // Headers of one machine have a folder of their own, which nobody writes.
    match below.split_once('/') {
        Some((machine, rest)) if machine.ends_with("-linux-gnu") => Some(rest),
        _ => Some(below),
    }
}

/// A path without detours.
fn straight(file: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            Component::ParentDir => parts.push(".."),
            Component::Normal(part) => parts.push(part.to_str().unwrap_or_default()),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    let root = if file.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// Headers of the C library that `_FORTIFY_SOURCE` asks for: what they check, they check for their callers.
fn is_checking(file: &str) -> bool {
    const ENDS: [&str; 6] = [
        "_fortified.h",
        "/bits/stdio2.h",
        "/bits/unistd.h",
        "/bits/fcntl2.h",
        "/bits/socket2.h",
        "/bits/poll2.h",
    ];
    file.contains("/include/") && ENDS.iter().any(|end| file.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_the_library_are_known_by_their_folders() {
        let gnu = "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include";
        let of_library = [
            format!("{gnu}/c++/12/streambuf"),
            format!("{gnu}/x86_64-linux-gnu/c++/12/bits/c++locale.h"),
            "/usr/lib/llvm-22/include/c++/v1/string".into(),
            format!("{NAME}/src/c++98/istream.cc"),
        ];
        let others = ["main.cc", "include/c++/parser.h", "src/c++/12/a.cc", ""];
        assert!(of_library.iter().all(|file| is_source(file)));
        assert!(!others.iter().any(|file| is_source(file)));
    }

    #[test]
    fn files_of_libraries_are_named_as_they_are_included() {
        let gnu = "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include";
        let here = Some("/projects/ann/project/");
        for (file, name) in [
            (format!("{gnu}/c++/12/bits/stl_map.h"), "<bits/stl_map.h>"),
            (format!("{gnu}/c++/12/map"), "<map>"),
            (
                format!("{gnu}/x86_64-linux-gnu/c++/12/bits/c++locale.h"),
                "<bits/c++locale.h>",
            ),
            (
                "/usr/include/x86_64-linux-gnu/bits/stdio2.h".into(),
                "<bits/stdio2.h>",
            ),
            ("/usr/include/boost/any.hpp".into(), "<boost/any.hpp>"),
            (
                "/usr/lib/llvm-22/lib/clang/22/include/emmintrin.h".into(),
                "<emmintrin.h>",
            ),
            ("/opt/gcc/include/c++/v1/string".into(), "<string>"),
            (
                format!("/build/{NAME}/src/c++98/istream.cc"),
                "<libstdc++>/src/c++98/istream.cc",
            ),
            (
                "/projects/ann/project/build/../src/./a.cc".into(),
                "src/a.cc",
            ),
            (
                "/projects/ann/other/a.cc".into(),
                "/projects/ann/other/a.cc",
            ),
            ("../a/../b.cc".into(), "../b.cc"),
            ("src/a.cc".into(), "src/a.cc"),
            (String::new(), ""),
        ] {
            assert_eq!(named(&file, here), name, "{file}");
        }
    }
}
