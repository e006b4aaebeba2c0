//! What is in memory, as the system tells it: `7f01-7f02 r-xp 0 08:01 12 /path`, line by line.

use crate::sys::{direct, number};

/// A range of addresses.
pub struct Line<'a> {
    pub from: u64,
    pub to: u64,
    pub reads: bool,
    pub writes: bool,
    pub code: bool,
    /// Tells files apart; 0 where it is of none.
    pub file: u64,
    pub path: &'a [u8],
}

/// A line is remembered as far as this: the end of a path tells nothing that is asked for here but its name.
const LONGEST: usize = 4096;

/// Calls `visit` for every range, in their order.
pub fn each(mut visit: impl FnMut(&Line)) {
    let path = c"/proc/self/maps".as_ptr() as i64;
    // SAFETY: the path is a text.
    let fd = unsafe { direct(number::OPEN, path, 0, 0, 0, 0, 0) };
    if fd < 0 {
        return;
    }
    let mut buffer = [0u8; 1024];
    let mut line = [0u8; LONGEST];
    let mut length = 0;
    loop {
        let to = buffer.as_mut_ptr() as i64;
        // SAFETY: there is so much room.
        let got = unsafe { direct(number::READ, fd, to, buffer.len() as i64, 0, 0, 0) };
        if got <= 0 {
            break;
        }
        for byte in &buffer[..got as usize] {
            if *byte == b'\n' {
                if let Some(line) = parse(&line[..length]) {
                    visit(&line);
                }
                length = 0;
            } else if length < LONGEST {
                line[length] = *byte;
                length += 1;
            }
        }
    }
    // SAFETY: it touches no memory.
    unsafe { direct(number::CLOSE, fd, 0, 0, 0, 0, 0) };
}

fn parse(line: &[u8]) -> Option<Line<'_>> {
    let mut fields = line.splitn(6, |byte| *byte == b' ');
    let (range, rights) = (fields.next()?, fields.next()?);
    let (device, inode) = (fields.nth(1)?, fields.next()?);
    let mut ends = range.split(|byte| *byte == b'-').map(hexadecimal);
    let (from, to) = (ends.next()?, ends.next()?);
    let inode = decimal(inode);
    let device = device.iter().fold(0u64, |all, byte| {
        all.wrapping_mul(31).wrapping_add((*byte).into())
    });
    Some(Line {
        from,
        to,
        reads: rights.first() == Some(&b'r'),
        writes: rights.get(1) == Some(&b'w'),
        code: rights.get(2) == Some(&b'x'),
        file: match inode {
            0 => 0,
            inode => inode ^ device << 40,
        },
        path: fields.next().unwrap_or_default().trim_ascii_start(),
    })
}

fn hexadecimal(digits: &[u8]) -> u64 {
    let digit = |byte: &u8| (*byte as char).to_digit(16).unwrap_or(0);
    digits
        .iter()
        .fold(0, |number, byte| number << 4 | u64::from(digit(byte)))
}

fn decimal(digits: &[u8]) -> u64 {
    let digit = |byte: &u8| u64::from(byte.wrapping_sub(b'0'));
    let add = |number: u64, byte| number.wrapping_mul(10).wrapping_add(digit(byte));
    digits.iter().fold(0, add)
}

#[cfg(test)]
#[path = "../tests/maps.rs"]
mod tests;
