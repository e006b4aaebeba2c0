//! What code that is not instrumented can get at: the memory that it is given pointers to, and what
//! is pointed to from there. A pointer is any word that could be one.

use crate::maps;
use crate::memory::is_flagged;
use crate::objects;
use crate::sys::read_own;
use crate::turns::Turns;

/// How much is looked at behind a pointer whose object is not known: on the stack, and elsewhere.
const ON_STACK: u64 = 512;
const ELSEWHERE: u64 = 1024;
/// A block is looked at as far as this.
const MOST_OF_BLOCK: u64 = 1 << 20;
/// As many blocks of the program are looked at for one call. Whoever can reach more may reach anything.
const BLOCKS: usize = 448;
/// As many other objects: in memory of libraries is only what the program has put there.
const OTHERS: usize = 64;
/// Words are read so many at a time.
const WORDS: usize = 64;
/// No object is at an address below, nor above.
const LOWEST: u64 = 1 << 16;
const HIGHEST: u64 = 1 << 47;
/// A stack is not larger.
const STACK: u64 = 8 << 20;

/// Objects that are looked at, by where they begin.
struct Reached {
    objects: [(u64, u64); BLOCKS + OTHERS],
    used: usize,
    others: usize,
    overflow: bool,
}

impl Reached {
    /// Adds what `pointer` points to, of which the size may be known.
    fn add(&mut self, pointer: u64, size: Option<u32>) {
        if !(LOWEST..HIGHEST).contains(&pointer) {
            return;
        }
        let known = self.objects[..self.used].iter();
        if known
            .copied()
            .any(|(begin, size)| (begin..begin + size).contains(&pointer))
        {
            return;
        }
        let block = objects::find(pointer).filter(|(begin, size)| pointer < begin + size);
        let (begin, size) = match block {
            _ if size.is_some() => (pointer, size.unwrap_or(0).into()),
            Some((begin, size)) => (begin, size.min(MOST_OF_BLOCK)),
            None if self.others == OTHERS || read_only(pointer) => return,
            None => {
                self.others += 1;
                (
                    pointer & !7,
                    if on_stack(pointer) {
                        ON_STACK
                    } else {
                        ELSEWHERE
                    },
                )
            }
        };
        if self.used == self.objects.len() {
            self.overflow = true;
            return;
        }
        self.objects[self.used] = (begin, size);
        self.used += 1;
    }

    /// Adds what variables point to, which are in memory that is there.
    ///
    /// # Safety
    /// They can be read.
    unsafe fn follow_variables(&mut self, begin: u64, size: u64) {
        for at in (begin.next_multiple_of(8)..begin + size).step_by(8) {
            // SAFETY: as the caller says.
            self.add(unsafe { *(at as *const u64) }, None);
        }
    }

    /// Is there a label in the objects from this one on, or in what they lead to?
    fn has_labels(&mut self, mut next: usize) -> bool {
        while next < self.used {
            let (begin, size) = self.objects[next];
            if is_flagged(begin, size) {
                return true;
            }
            self.follow(begin, size);
            next += 1;
        }
        false
    }

    /// Adds what the words of an object point to.
    fn follow(&mut self, begin: u64, size: u64) {
        let mut words = [0u64; WORDS];
        let mut at = begin.next_multiple_of(8);
        while at + 8 <= begin + size && !self.overflow {
            let count = (((begin + size - at) / 8) as usize).min(WORDS);
            if !read_own(&mut words[..count], at as i64) {
                return;
            }
            for word in &words[..count] {
                self.add(*word, None);
            }
            at += count as u64 * 8;
        }
    }
}

/// Is there a label in any memory that can be reached from these pointers and variables? Of some pointers it is
/// known how large the variables are that they point to.
///
/// # Safety
/// The variables can be read.
pub unsafe fn finds_labels(
    pointers: impl Iterator<Item = (u64, Option<u32>)>,
    variables: impl Iterator<Item = (u64, u64)>,
) -> bool {
    let mut reached = Reached {
        objects: [(0, 0); BLOCKS + OTHERS],
        used: 0,
        others: 0,
        overflow: false,
    };
    for (pointer, size) in pointers {
        reached.add(pointer, size);
    }
    // What is given comes before whatever else the callee knows.
    if reached.has_labels(0) {
        return true;
    }
    let next = reached.used;
    for (begin, size) in variables {
        if is_flagged(begin, size) {
            return true;
        }
        // SAFETY: as the caller says.
        unsafe { reached.follow_variables(begin, size) };
    }
    reached.has_labels(next) || reached.overflow
}

fn on_stack(address: u64) -> bool {
    let here = 0u8;
    let here = &raw const here as u64;
    (here..here + STACK).contains(&address)
}

/// Code and constants hold no labels, and lead nowhere.
struct ReadOnly {
    ranges: [(u64, u64); RANGES],
    used: usize,
    known: bool,
}

const RANGES: usize = 128;

static READ_ONLY: Turns<ReadOnly> = Turns::new(ReadOnly {
    ranges: [(0, 0); RANGES],
    used: 0,
    known: false,
});

fn read_only(address: u64) -> bool {
    // SAFETY: its users take turns, as `Turns` says.
    let all = unsafe { &mut *READ_ONLY.get() };
    if !all.known {
        all.known = true;
        all.learn();
    }
    let ranges = all.ranges[..all.used].iter();
    ranges
        .copied()
        .any(|(from, to)| (from..to).contains(&address))
}

impl ReadOnly {
    fn learn(&mut self) {
        maps::each(|line| {
            if !line.writes && self.used < RANGES {
                self.ranges[self.used] = (line.from, line.to);
                self.used += 1;
            }
        });
    }
}
