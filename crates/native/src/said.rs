//! What programs say on their standard error before they end: why, in words of the C and the C++ library.

/// How the GNU library begins what it says of an exception that nobody caught.
const THROWN: &str = "terminate called after throwing an instance of '";
/// How LLVM's does.
const THROWN_LLVM: [&str; 2] = [
    "terminating due to uncaught exception of type ",
    "terminating with uncaught exception of type ",
];

/// What the C++ or the C library says last when it ends a program by itself.
pub fn why_aborted(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr.lines().collect();
    let last = lines.iter().rposition(|line| !line.trim().is_empty())?;
    let thrown = |line: &str| Some(line.strip_prefix(THROWN)?.strip_suffix('\'')?.to_owned());
    // What an exception tells of itself may have several lines.
    let from = lines.iter().rposition(|line| line.starts_with(THROWN));
    if let Some(from) = from
        && let Some(exception) = thrown(lines[from])
    {
        return match lines
            .get(from + 1)
            .and_then(|line| line.strip_prefix("  what():  "))
        {
            Some(what) => Some(format!("uncaught {}: {what}", type_name(&exception))),
            None if from == last => Some(format!("uncaught {}", type_name(&exception))),
            None => None,
        };
    }
    if let Some(uncaught) = lines.iter().rev().find_map(|line| uncaught_of_llvm(line)) {
        return Some(uncaught);
    }
    let of_memory = [
        "free(): ",
        "malloc(): ",
        "realloc(): ",
        "munmap_chunk(): ",
        "double free or",
    ];
    match lines[last] {
        "terminate called without an active exception" => {
            Some("std::terminate was called without an exception".into())
        }
        line if line.starts_with("*** ") && line.ends_with(": terminated") => Some(
            line.trim_start_matches("*** ")
                .replace(" ***: terminated", ""),
        ),
        line if of_memory.iter().any(|begin| line.starts_with(begin)) => Some(line.into()),
        line if line.starts_with("corrupted ") => Some(line.into()),
        // What GNU's library checks with _GLIBCXX_ASSERTIONS.
        line => {
            let (_, text) = line
                .strip_suffix("' failed.")?
                .split_once(": Assertion '")?;
            Some(format!("an assertion of the C++ library failed: {text}"))
        }
    }
}

fn uncaught_of_llvm(line: &str) -> Option<String> {
    let (_, line) = line.split_once("c++abi: ")?;
    let said = THROWN_LLVM
        .iter()
        .find_map(|begin| line.strip_prefix(begin))?;
    Some(match said.split_once(": ") {
        Some((exception, what)) => format!("uncaught {}: {what}", type_name(exception)),
        None => format!("uncaught {}", type_name(said)),
    })
}

/// A type as its source has it, as far as it is one that is thrown: a string is.
fn type_name(name: &str) -> String {
    const STRING: &str = "std::basic_string<char, std::char_traits<char>, std::allocator<char>";
    let name = name.replace("std::__cxx11::", "std::");
    let name = name.replace("std::__1::", "std::");
    let string = name.strip_prefix(STRING).map(|rest| rest.trim_start());
    match string {
        Some(">") => "std::string".into(),
        _ => match name.as_str() {
            "char const*" => "const char *".into(),
            _ => name,
        },
    }
}

pub struct FailedAssertion {
    pub text: String,
    pub file: String,
    pub line: u32,
}

/// The last line that reports a failed assertion: the C library's
/// ``prog: file:line: function: Assertion `x' failed.`` or our `file:line: assertion failed: x`.
pub fn find_assertion(stderr: &str) -> Option<FailedAssertion> {
    stderr.lines().rev().find_map(|line| {
        if let Some((place, text)) = line.split_once(": assertion failed: ") {
            let (file, number) = place.rsplit_once(':')?;
            return Some(FailedAssertion {
                text: text.to_string(),
                file: file.to_string(),
                line: number.parse().ok()?,
            });
        }
        let (place, text) = line.split_once(": Assertion `")?;
        let text = text.strip_suffix("' failed.")?;
        // place: `prog: file:line: function`, and the function of C++ may hold colons.
        let (_, place) = place.split_once(": ")?;
        let (place, _) = place.split_once(": ")?;
        let (file, number) = place.rsplit_once(':')?;
        Some(FailedAssertion {
            text: text.to_string(),
            file: file.to_string(),
            line: number.parse().ok()?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_aborts_in_what_a_program_says() {
        let thrown = "x\nterminate called after throwing an instance of 'Frozen'\n";
        for (said, reason) in [
            (thrown.to_owned(), Some("uncaught Frozen")),
            (
                format!("{thrown}  what():  account is frozen\nsince today\n"),
                Some("uncaught Frozen: account is frozen"),
            ),
            (format!("{thrown}and much later, something else\n"), None),
            (
                "terminate called without an active exception\n".into(),
                Some("std::terminate was called without an exception"),
            ),
            (
                "free(): double free detected in tcache 2\n".into(),
                Some("free(): double free detected in tcache 2"),
            ),
            (
                "*** stack smashing detected ***: terminated\n".into(),
                Some("stack smashing detected"),
            ),
            (
                thrown.replace(
                    "Frozen",
                    "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
                ),
                Some("uncaught std::string"),
            ),
            (
                "libc++abi: terminating due to uncaught exception of type bank::Frozen: it is\n".into(),
                Some("uncaught bank::Frozen: it is"),
            ),
            (
                "libc++abi: terminating due to uncaught exception of type int\n".into(),
                Some("uncaught int"),
            ),
            (
                "/usr/include/c++/12/bits/stl_vector.h:1123: T& f(): Assertion '__n < this->size()' failed.\n"
                    .into(),
                Some("an assertion of the C++ library failed: __n < this->size()"),
            ),
            ("free at last\n".into(), None),
            (String::new(), None),
        ] {
            assert_eq!(why_aborted(&said).as_deref(), reason, "{said}");
        }
    }

    #[test]
    fn assertions_in_what_a_program_says() {
        let found = find_assertion("noise\nprog: src/a.c:12: f: Assertion `x == \"y\"' failed.\n");
        let found = found.unwrap();
        assert_eq!(found.text, "x == \"y\"");
        assert_eq!((found.file.as_str(), found.line), ("src/a.c", 12));
        let found = find_assertion("a:b.c:7: assertion failed: p != 0\nAborted\n").unwrap();
        assert_eq!(found.text, "p != 0");
        assert_eq!((found.file.as_str(), found.line), ("a:b.c", 7));
        assert!(find_assertion("x: assertion failed: y").is_none());
        assert!(find_assertion("free(): double free detected").is_none());
    }
}
