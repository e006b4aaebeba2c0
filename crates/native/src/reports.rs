//! What the reports of clang's sanitizers say.

use crate::symbols::is_ours;
use elsewise_driver::standard_source;
use elsewise_explore::{FailureKind, Location, Outcome};

/// The failure that a report in `stderr` tells of.
pub fn report(stderr: &str) -> Option<Outcome> {
    let lines: Vec<&str> = stderr.lines().collect();
    lines.iter().enumerate().find_map(|(index, line)| {
        let rest = &lines[index + 1..];
        if let Some((place, message)) = line.split_once(": runtime error: ") {
            return Some(undefined(place, message, rest));
        }
        let (_, text) = line.split_once("Sanitizer: ")?;
        if !line.contains("ERROR: ") && !line.contains("WARNING: ") {
            return None;
        }
        Some(error(text, rest))
    })
}

/// `file:line:column: runtime error: message`.
fn undefined(place: &str, message: &str, rest: &[&str]) -> Outcome {
    let mut stack = frames(rest);
    if stack.is_empty() {
        stack.extend(location(place, ""));
    }
    Outcome::Failure {
        kind: FailureKind::Undefined,
        message: format!("undefined behaviour: {message}"),
        place: stack,
    }
}

/// What stands after `ERROR: AddressSanitizer: ` and the like.
fn error(text: &str, rest: &[&str]) -> Outcome {
    let word = text.split_whitespace().next().unwrap_or_default();
    let kind = match word {
        "heap-use-after-free" => "use-after-free",
        "attempting" if text.contains("double-free") => "double-free",
        "attempting" => "bad-free",
        "detected" => "leak",
        "SEGV" => "segv",
        "FPE" => "fpe",
        "BUS" => "bus",
        "ILL" => "ill",
        "ABRT" => "abort",
        "TRAP" => "trap",
        "requested" => "allocation-size",
        "hard" | "out" => "memory",
        "data" => "data-race",
        "use-of-uninitialized-value" => "uninitialized",
        _ => word.trim_end_matches([':', ',']),
    };
    let said = |what: &str| rest.iter().find(|line| line.contains(what)).copied();
    let access = rest
        .first()
        .filter(|line| line.starts_with("READ of") || line.starts_with("WRITE of"))
        .and_then(|line| line.split(" at ").next());
    let message = match (kind, access) {
        ("leak", _) => said(" leak of ")
            .map(|line| line.trim_end_matches(" allocated from:").to_string())
            .unwrap_or_else(|| "memory was not freed".into()),
        (_, Some(access)) => {
            match said(" is located ").and_then(|line| line.split_once(" is located ")) {
                // Addresses differ from run to run; what they are to each other does not.
                Some((_, where_)) => {
                    let where_ = where_.split(" [0x").next().unwrap_or(where_);
                    format!("{kind}: {access}, {where_}")
                }
                None => format!("{kind}: {access}"),
            }
        }
        _ => text
            .split(" (pc ")
            .next()
            .and_then(|text| text.split(": 0x").next())
            .and_then(|text| text.split(" on 0x").next())
            .unwrap_or(text)
            .trim_end_matches(':')
            .to_string(),
    };
    Outcome::Failure {
        kind: kind.into(),
        message,
        place: frames(rest),
    }
}

/// The places of the first stack in these lines, innermost first.
fn frames(lines: &[&str]) -> Vec<Location> {
    let here = std::env::current_dir()
        .map(|folder| format!("{}/", folder.display()))
        .unwrap_or_default();
    lines
        .iter()
        .map(|line| line.trim_start())
        .skip_while(|line| !line.starts_with('#'))
        .take_while(|line| line.starts_with('#'))
        .filter_map(|line| {
            let (_, frame) = line.split_once(" in ")?;
            // The C library's own sources are named relative to its build.
            let at = frame.rfind(" /")?;
            let (function, place) = (&frame[..at], &frame[at + 1..]);
            let mut place = location(place, function)?;
            place.file = standard_source::named(&place.file, Some(&here)).into_owned();
            Some(place)
        })
        .filter(|place| !is_ours(place))
        .collect()
}

/// `file:line:column` or `file:line`.
fn location(text: &str, function: &str) -> Option<Location> {
    let (rest, last) = text.rsplit_once(':')?;
    let last = last.parse().ok()?;
    let (file, line, column) = match rest.rsplit_once(':') {
        Some((file, line)) if line.parse::<u32>().is_ok() => (file, line.parse().ok()?, last),
        _ => (rest, last, 0),
    };
    Some(Location {
        file: file.to_string(),
        line,
        column,
        function: function.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(stderr: &str) -> (String, String, Vec<(String, u32, String)>) {
        match report(stderr) {
            Some(Outcome::Failure {
                kind,
                message,
                place,
            }) => (
                kind.to_string(),
                message,
                place
                    .into_iter()
                    .map(|place| (place.file, place.line, place.function))
                    .collect(),
            ),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_read_behind_a_block() {
        let (kind, message, place) = parts(
            "noise\n==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x7b at pc 0x5 bp 0x7 sp 0x7\n\
             READ of size 1 at 0x7b thread T0\n    #0 0x5 in get(int, char) /src/a b.c:5:51\n\
             \x20   #1 0x5 in main /src/m.c:9:3\n\
             \x20   #2 0x7 in __libc_start_call_main csu/../sysdeps/nptl/libc_start_call_main.h:58:16\n\n\
             0x7b is located 2 bytes after 5-byte region [0x7b10,0x7b15)\nallocated by thread T0 here:\n\
             \x20   #0 0x5 in main /src/m.c:3:3\n",
        );
        assert_eq!(kind, "heap-buffer-overflow");
        assert_eq!(
            message,
            "heap-buffer-overflow: READ of size 1, 2 bytes after 5-byte region"
        );
        assert_eq!(
            place,
            [
                ("/src/a b.c".to_string(), 5, "get(int, char)".to_string()),
                ("/src/m.c".to_string(), 9, "main".to_string())
            ]
        );
    }

    #[test]
    fn other_reports() {
        let (kind, message, place) =
            parts("a.c:7:37: runtime error: signed integer overflow: 1 + 2\nSUMMARY: x\n");
        assert_eq!(kind, "undefined");
        assert!(message.contains("signed integer overflow"));
        assert_eq!(place, [("a.c".to_string(), 7, String::new())]);
        let (kind, message, place) = parts(
            "==9==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 4 byte(s) in 1 \
             object(s) allocated from:\n    #0 0x5 in malloc (/x/san+0x3678f)\n    #1 0x5 in main \
             /x/san.c:9:24\n",
        );
        assert_eq!(kind, "leak");
        assert_eq!(message, "Direct leak of 4 byte(s) in 1 object(s)");
        assert_eq!(place[0].1, 9);
        let double = "==1==ERROR: AddressSanitizer: attempting double-free on 0x7 in thread T0:\n";
        let (kind, message, _) = parts(double);
        assert_eq!(
            (kind.as_str(), message.as_str()),
            ("double-free", "attempting double-free")
        );
        let bad = "==1==ERROR: AddressSanitizer: attempting free on address which was not malloc()-ed: 0x7b in \
                   thread T0\n";
        let (kind, message, _) = parts(bad);
        assert_eq!(kind, "bad-free");
        assert_eq!(
            message,
            "attempting free on address which was not malloc()-ed"
        );
        let segv = "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x1 bp 0x2)\n";
        assert_eq!(parts(segv).0, "segv");
        assert!(report("AddressSanitizer: not an error\nall is well").is_none());
    }
}
