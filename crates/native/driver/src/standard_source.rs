//! Which files are the C++ standard library's own: failures in them are where they were called.

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
}
