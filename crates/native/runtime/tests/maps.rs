//! The system's list of what is in memory.

use super::*;

#[test]
fn a_line_is_taken_apart() {
    let line =
        parse(b"7f01a000-7f01b000 r-xp 00001000 08:01 12345    /usr/lib/a b.so").expect("a line");
    assert_eq!((line.from, line.to), (0x7f01_a000, 0x7f01_b000));
    assert_eq!((line.reads, line.writes, line.code), (true, false, true));
    assert_eq!(line.path, b"/usr/lib/a b.so");
    assert_ne!(line.file, 0);
    let other = parse(b"0-1000 rw-p 0 08:02 12345 /other").expect("a line");
    assert_ne!(line.file, other.file, "the same number of another device");
    let anonymous = parse(b"0-1000 rw-p 0 00:00 0").expect("a line");
    assert_eq!((anonymous.file, anonymous.path), (0, &b""[..]));
    assert!(parse(b"0-1000 rw-p").is_none());
}

#[test]
fn what_is_mapped_is_in_the_list() {
    let here = what_is_mapped_is_in_the_list as *const () as u64;
    let mut found = None;
    let mut last = 0;
    each(|line| {
        assert!(line.from >= last, "in their order");
        last = line.to;
        if (line.from..line.to).contains(&here) {
            found = Some((line.code, line.writes));
        }
    });
    assert_eq!(found, Some((true, false)));
}
