//! Code of the program that is neither instrumented nor of the system: libraries of others, objects that
//! another compiler made, assembly. It may have kept what it was given, and knows variables by their names, so
//! that whatever its own variables lead to is in its reach.

use crate::sys::{direct, number};
use core::cell::UnsafeCell;

/// Files of the system's libraries begin so: what they keep is known by function.
const SYSTEM: [&[u8]; 12] = [
    b"libc.so",
    b"libc-",
    b"libm.so",
    b"libm-",
    b"libstdc++.so",
    b"libc++",
    b"libgcc_s",
    b"ld-linux",
    b"libpthread",
    b"libdl",
    b"librt",
    b"libresolv",
];

const MOST: usize = 256;

/// One file in memory, or one of its segments.
#[derive(Clone, Copy)]
struct Part {
    from: u64,
    to: u64,
    /// Tells files apart.
    file: u64,
    /// It can be read, and holds no code.
    reads: bool,
    code: bool,
    writes: bool,
    /// It is of the system, or of no file.
    known: bool,
}

const NOTHING: Part = Part {
    from: 0,
    to: 0,
    file: 0,
    reads: false,
    code: false,
    writes: false,
    known: true,
};

struct Parts {
    all: [Part; MOST],
    used: usize,
    /// An address that is in none of them.
    outside: u64,
}

struct Global(UnsafeCell<Parts>);
// One thread runs at a time.
unsafe impl Sync for Global {}

static PARTS: Global = Global(UnsafeCell::new(Parts {
    all: [NOTHING; MOST],
    used: 0,
    outside: 0,
}));

fn parts() -> &'static mut Parts {
    unsafe { &mut *PARTS.0.get() }
}

/// The variables of whoever has code at this address, if that is not of the system; at 0, of all libraries that
/// are not.
pub fn variables_of(code: u64) -> impl Iterator<Item = (u64, u64)> {
    let own = &raw const crate::sys::__ehdr_start as u64;
    let file = parts().find(code).map(|part| (part.file, part.known));
    let own = parts().find(own).map(|part| part.file);
    let wanted = move |part: &&Part| match file {
        Some((file, known)) => !known && part.file == file,
        None => code == 0 && Some(part.file) != own,
    };
    let all = &parts().all[..parts().used];
    // A file without code is data of the program's, or of ours.
    let has_code = |part: &&Part| all.iter().any(|one| one.file == part.file && one.code);
    all.iter()
        .filter(|part| part.writes && !part.known)
        .filter(wanted)
        .filter(has_code)
        .map(|part| (part.from, part.to - part.from))
}

impl Parts {
    /// Looks again where an address is in nothing that is known: it may have been loaded since.
    fn find(&mut self, address: u64) -> Option<Part> {
        if address == 0 {
            return None;
        }
        let inside = |part: &&Part| (part.from..part.to).contains(&address);
        let found = self.all[..self.used].iter().find(inside).copied();
        if found.is_some() || self.outside == address {
            return found;
        }
        self.learn();
        let found = self.all[..self.used].iter().find(inside).copied();
        if found.is_none() {
            self.outside = address;
        }
        found
    }

    /// From what the system tells: `7f01-7f02 r-xp 0 08:01 12 /path`, line by line.
    fn learn(&mut self) {
        self.used = 0;
        let path = c"/proc/self/maps".as_ptr() as i64;
        let fd = unsafe { direct(number::OPEN, path, 0, 0, 0, 0, 0) };
        if fd < 0 {
            return;
        }
        let mut buffer = [0u8; 1024];
        let mut line = [0u8; 512];
        let mut length = 0;
        loop {
            let to = buffer.as_mut_ptr() as i64;
            let got = unsafe { direct(number::READ, fd, to, buffer.len() as i64, 0, 0, 0) };
            if got <= 0 {
                break;
            }
            for byte in &buffer[..got as usize] {
                if *byte != b'\n' {
                    line[length.min(line.len() - 1)] = *byte;
                    length += 1;
                    continue;
                }
                if let Some(part) = part(&line[..length.min(line.len())], self.last()) {
                    self.add(part);
                }
                length = 0;
            }
        }
        unsafe { direct(number::CLOSE, fd, 0, 0, 0, 0, 0) };
    }

    fn add(&mut self, part: Part) {
        // What the loader has written, addresses of variables among it, is before what may be written still.
        if part.writes
            && let Some(before) = self.used.checked_sub(1).map(|at| &mut self.all[at])
            && before.file == part.file
            && before.reads
        {
            before.writes = true;
        }
        if self.used < MOST {
            self.all[self.used] = part;
            self.used += 1;
        }
    }

    fn last(&self) -> Option<&Part> {
        self.used.checked_sub(1).map(|at| &self.all[at])
    }
}

/// A line's part. Variables without a value follow those with one, and belong to no file.
fn part(line: &[u8], before: Option<&Part>) -> Option<Part> {
    let mut fields = line
        .split(|byte| *byte == b' ')
        .filter(|field| !field.is_empty());
    let (range, rights) = (fields.next()?, fields.next()?);
    let inode = fields.nth(2)?;
    let path = fields.next().unwrap_or_default();
    let mut ends = range.split(|byte| *byte == b'-').map(hexadecimal);
    let (from, to) = (ends.next()?, ends.next()?);
    let writes = rights.get(1) == Some(&b'w');
    let mut part = Part {
        from,
        to,
        file: decimal(inode),
        reads: rights.starts_with(b"r") && rights.get(2) == Some(&b'-'),
        code: rights.get(2) == Some(&b'x'),
        writes,
        known: true,
    };
    match before {
        _ if part.file != 0 => {
            let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
            part.known = SYSTEM.iter().any(|begin| name.starts_with(begin));
        }
        Some(before) if path.is_empty() && writes && before.writes && before.to == from => {
            (part.file, part.known) = (before.file, before.known);
        }
        _ => return None,
    }
    Some(part)
}

fn hexadecimal(digits: &[u8]) -> u64 {
    let digit = |byte: &u8| (*byte as char).to_digit(16).unwrap_or(0);
    digits
        .iter()
        .fold(0, |number, byte| number << 4 | u64::from(digit(byte)))
}

fn decimal(digits: &[u8]) -> u64 {
    let digit = |byte: &u8| u64::from(byte.wrapping_sub(b'0'));
    digits
        .iter()
        .fold(0, |number, byte| number * 10 + digit(byte))
}
