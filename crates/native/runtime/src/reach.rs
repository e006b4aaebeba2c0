//! What code that is not instrumented can get at: the memory that it is given pointers to, and what
//! is pointed to from there. A pointer is any word that could be one.

use crate::foreign;
use crate::maps;
use crate::memory::is_flagged;
use crate::objects;
use crate::sys::{direct, number, read_own};
use crate::turns::Turns;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// How much is looked at behind a pointer whose object is not known: on the stack, and elsewhere.
const ON_STACK: u64 = 512;
const ELSEWHERE: u64 = 4096;
/// A block is looked at as far as this.
const MOST_OF_BLOCK: u64 = 1 << 20;
/// Pointers may lie anywhere in what is not larger, and at the beginning of anything: in packed structures, say.
const PACKED: u64 = 512;
const PACKED_WORDS: usize = 16;
const PACKED_VARIABLES: u64 = 1 << 14;
/// As many objects are looked at for one call, and of those that are no blocks of the program's. Whoever can reach more
/// may reach anything.
const OBJECTS: usize = 1024;
const OTHERS: usize = 512;
/// Words are read so many at a time.
const WORDS: usize = 256;
/// No object is at an address below, nor above.
const LOWEST: u64 = 1 << 16;
const HIGHEST: u64 = 1 << 47;
/// A stack is not larger.
const STACK: u64 = 8 << 20;
/// Variables of a library are in so many pieces.
const PIECES: usize = 64;
/// Where nothing is, as far as it is remembered: most words that could be a pointer are none.
const ABSENT: usize = 128;
const PAGE: u64 = 12;
/// Places of a table of objects by where they begin.
const PLACES: usize = 4 * OBJECTS;

/// Objects that are looked at.
struct Reached {
    objects: [(u64, u64); OBJECTS],
    used: usize,
    others: usize,
    overflow: bool,
    /// One more than the index of the object that begins somewhere.
    places: [u16; PLACES],
    /// These are looked at as a whole.
    variables: [(u64, u64); PIECES],
    pieces: usize,
    absent: [u64; ABSENT],
    /// Where the C library has most of the memory that libraries ask for.
    heap: Range<u64>,
}

static REACHED: Turns<Reached> = Turns::new(Reached {
    objects: [(0, 0); OBJECTS],
    used: 0,
    others: 0,
    overflow: false,
    places: [0; PLACES],
    variables: [(0, 0); PIECES],
    pieces: 0,
    absent: [0; ABSENT],
    heap: 0..0,
});

/// It is looked through.
static BUSY: AtomicBool = AtomicBool::new(false);

fn holds(object: (u64, u64), address: u64) -> bool {
    address.wrapping_sub(object.0) < object.1
}

impl Reached {
    fn begin(&mut self) {
        self.used = 0;
        self.others = 0;
        self.overflow = false;
        self.places.fill(0);
        self.pieces = 0;
        self.absent.fill(0);
        // SAFETY: it only asks where the heap ends.
        let end = unsafe { direct(number::BRK, 0, 0, 0, 0, 0, 0) };
        self.heap = kept().heap..end as u64;
    }

    /// As [`finds_labels`] says.
    ///
    /// # Safety
    /// As there.
    unsafe fn looks(
        &mut self,
        pointers: impl Iterator<Item = (u64, Option<u32>)>,
        variables: impl Iterator<Item = (u64, u64)>,
    ) -> bool {
        self.begin();
        for (begin, size) in variables {
            if is_flagged(begin, size) {
                return true;
            }
            match self.variables.get_mut(self.pieces) {
                Some(piece) => *piece = (begin, size),
                None => return true,
            }
            self.pieces += 1;
        }
        for (pointer, size) in pointers {
            self.add(pointer, size);
        }
        // What is given comes before whatever else the callee knows.
        if self.has_labels(0) {
            return true;
        }
        let next = self.used;
        for index in 0..self.pieces {
            let (begin, size) = self.variables[index];
            // SAFETY: as the caller says.
            unsafe { self.follow_variables(begin, size) };
        }
        self.has_labels(next) || self.overflow
    }

    /// Adds what `pointer` points to, of which the size may be known.
    fn add(&mut self, pointer: u64, size: Option<u32>) {
        if !(LOWEST..HIGHEST).contains(&pointer) {
            return;
        }
        match size {
            Some(size) => self.push((pointer, size.into())),
            None => self.add_object(pointer),
        }
    }

    fn add_object(&mut self, pointer: u64) {
        if self.variables[..self.pieces]
            .iter()
            .any(|piece| holds(*piece, pointer))
        {
            return;
        }
        let block = block(pointer);
        let Some(object) = block.or_else(|| self.other(pointer)) else {
            return;
        };
        let mut place = (object.0 >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) as usize >> 20;
        loop {
            place %= PLACES;
            match self.places[place] {
                0 => break,
                known if self.objects[usize::from(known) - 1].0 == object.0 => return,
                _ => place += 1,
            }
        }
        if block.is_none() {
            self.others += 1;
            self.overflow |= self.others > OTHERS;
        }
        self.push(object);
        if !self.overflow {
            self.places[place] = self.used as u16;
        }
    }

    fn push(&mut self, object: (u64, u64)) {
        if self.used == OBJECTS {
            self.overflow = true;
            return;
        }
        self.objects[self.used] = object;
        self.used += 1;
    }

    /// What is at a pointer that leads to no block of the program's.
    fn other(&mut self, pointer: u64) -> Option<(u64, u64)> {
        if nothing_is_kept(pointer) {
            return None;
        }
        let absent = &mut self.absent[(pointer >> PAGE) as usize % ABSENT];
        if *absent == pointer >> PAGE {
            return None;
        }
        let begin = pointer & !7;
        if word_at(begin).is_none() {
            *absent = pointer >> PAGE;
            return None;
        }
        let size = match on_stack(pointer) {
            true => ON_STACK,
            false => size_of_chunk(pointer).unwrap_or(ELSEWHERE),
        };
        Some((begin, size))
    }

    /// Adds what variables point to, which are in memory that is there.
    ///
    /// # Safety
    /// They can be read.
    unsafe fn follow_variables(&mut self, begin: u64, size: u64) {
        let first = begin.next_multiple_of(8);
        let count = (begin + size).saturating_sub(first) / 8;
        // SAFETY: as the caller says; whoever writes there waits for its turn.
        let words = unsafe { core::slice::from_raw_parts(first as *const u64, count as usize) };
        for word in words {
            self.add(*word, None);
        }
        if size <= PACKED_VARIABLES {
            self.add_between(words);
        }
    }

    /// Is there a label in the objects from this one on, or in what they lead to?
    fn has_labels(&mut self, mut next: usize) -> bool {
        while next < self.used && !self.overflow {
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
        // The last word of a block is there as a whole.
        let end = (begin + size).next_multiple_of(8);
        while at < end && !self.overflow {
            let count = (((end - at) / 8) as usize).min(WORDS);
            if !read_own(&mut words[..count], at as i64) {
                return;
            }
            for word in &words[..count] {
                self.add(*word, None);
            }
            let packed = match (size <= PACKED, at < begin + 8) {
                (true, _) => count,
                (false, true) => count.min(PACKED_WORDS),
                (false, false) => 0,
            };
            self.add_between(&words[..packed]);
            at += count as u64 * 8;
        }
    }

    /// Adds blocks that are pointed to from between words, of the program or of the C library's heap.
    fn add_between(&mut self, words: &[u64]) {
        for pair in words.windows(2) {
            for bits in (8..64).step_by(8) {
                let word = pair[0] >> bits | pair[1] << (64 - bits);
                if !(LOWEST..HIGHEST).contains(&word) {
                    continue;
                }
                let in_heap = self.heap.contains(&word) && size_of_chunk(word).is_some();
                if in_heap || block(word).is_some() {
                    self.add_object(word);
                }
            }
        }
    }
}

/// The block of the program's that a pointer leads to.
fn block(pointer: u64) -> Option<(u64, u64)> {
    let block = objects::find(pointer).filter(|block| holds(*block, pointer));
    block.map(|(begin, size)| (begin, size.min(MOST_OF_BLOCK)))
}

fn word_at(address: u64) -> Option<u64> {
    let mut word = [0u64];
    read_own(&mut word, address as i64).then_some(word[0])
}

/// Memory that a library has asked the C library for has its size before it, and another piece behind it.
fn size_of_chunk(pointer: u64) -> Option<u64> {
    const HEAD: u64 = 8;
    const FLAGS: u64 = 7;
    const BEFORE_IS_USED: u64 = 1;
    const ALONE: u64 = 2;
    const PAGE_SIZE: u64 = 1 << PAGE;
    const LEAST: u64 = 32;
    let chunk = pointer
        .checked_sub(HEAD)
        .filter(|_| pointer.is_multiple_of(16))?;
    let head = word_at(chunk)?;
    let size = head & !FLAGS;
    let whole = |number: u64| number > 0 && number.is_multiple_of(PAGE_SIZE);
    if head & ALONE != 0 && whole(chunk - HEAD) && whole(size) {
        return Some(size.min(MOST_OF_BLOCK) - 2 * HEAD);
    }
    if !(LEAST..=MOST_OF_BLOCK).contains(&size) || !size.is_multiple_of(16) {
        return None;
    }
    let next = word_at(chunk + size)?;
    let follows = next & BEFORE_IS_USED != 0 && next & !FLAGS >= LEAST / 2;
    follows.then_some(size - HEAD)
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
    // A handler of a signal that comes in between does not look by itself.
    if BUSY.swap(true, Relaxed) {
        return true;
    }
    // SAFETY: its users take turns, as `Turns` says, and nobody else is at it. The variables are as the caller says.
    let found = unsafe { (*REACHED.get()).looks(pointers, variables) };
    BUSY.store(false, Relaxed);
    found
}

fn on_stack(address: u64) -> bool {
    let here = 0u8;
    let here = &raw const here as u64;
    (here..here + STACK).contains(&address)
}

/// Code and constants hold no labels, and lead nowhere; what the system's libraries keep is known by function.
struct Kept {
    ranges: [(u64, u64); RANGES],
    used: usize,
    known: bool,
    /// Where the heap begins.
    heap: u64,
}

const RANGES: usize = 256;

static NOTHING_KEPT: Turns<Kept> = Turns::new(Kept {
    ranges: [(0, 0); RANGES],
    used: 0,
    known: false,
    heap: u64::MAX,
});

fn kept() -> &'static Kept {
    // SAFETY: its users take turns, as `Turns` says.
    let all = unsafe { &mut *NOTHING_KEPT.get() };
    if !all.known {
        all.known = true;
        all.learn();
    }
    all
}

fn nothing_is_kept(address: u64) -> bool {
    let all = kept();
    let ranges = all.ranges[..all.used].iter();
    ranges
        .copied()
        .any(|(from, to)| (from..to).contains(&address))
}

impl Kept {
    fn learn(&mut self) {
        // Variables without a value follow those with one.
        let mut of_system = (false, 0);
        maps::each(|line| {
            let follows = line.path.is_empty() && of_system == (true, line.from);
            if line.path == b"[heap]" {
                self.heap = line.from;
            }
            of_system = (follows || foreign::is_file_of_system(line.path), line.to);
            if (!line.writes || of_system.0) && self.used < RANGES {
                self.ranges[self.used] = (line.from, line.to);
                self.used += 1;
            }
        });
    }
}
