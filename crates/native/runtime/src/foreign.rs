//! Code of the program that is neither instrumented nor of the system: libraries of others, objects that
//! another compiler made, assembly. It may have kept what it was given, and knows variables by their names, so
//! that whatever its own variables lead to is in its reach.

use crate::counted;
use crate::frame::frame;
use crate::loaded::{self, Loaded};
use crate::maps::{self, Line};
use crate::shared::state;
use crate::sys;
use crate::turns::Turns;
use core::ffi::{c_int, c_void};
use core::ops::Range;
use elsewise_wire::bytecode::FOLLOWED_MARK;
use elsewise_wire::libc;
use elsewise_wire::{MAX_MODULES, Reason};

/// Files of the system's libraries begin so: what they keep is known by function.
const SYSTEM: [&[u8]; 14] = [
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
    b"libclang_rt.",
    b"libasan",
];

const MOST: usize = 1024;

/// Is it one of the system's libraries?
pub fn is_file_of_system(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next();
    let name = name.unwrap_or_default();
    SYSTEM.iter().any(|begin| name.starts_with(begin))
}

/// A part of a file in memory.
#[derive(Clone, Copy)]
struct Part {
    from: u64,
    to: u64,
    /// Tells files apart.
    file: u64,
    code: bool,
    /// It holds variables, or what the loader has written for them.
    variables: bool,
    /// It is of the system.
    known: bool,
    /// Of the C library, that is.
    c_library: bool,
}

const NOTHING: Part = Part {
    from: 0,
    to: 0,
    file: 0,
    code: false,
    variables: false,
    known: true,
    c_library: false,
};

struct Parts {
    all: [Part; MOST],
    used: usize,
    /// An address that is in none of them.
    outside: u64,
    /// Addresses in objects that are instrumented.
    instrumented: [u64; MAX_MODULES],
    objects: usize,
}

static PARTS: Turns<Parts> = Turns::new(Parts {
    all: [NOTHING; MOST],
    used: 0,
    outside: 0,
    instrumented: [0; MAX_MODULES],
    objects: 0,
});

fn parts() -> &'static mut Parts {
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut *PARTS.get() }
}

/// The variables of whoever has code at this address, if that is not of the system; at 0, of all libraries that
/// are not.
pub fn variables_of(code: u64) -> impl Iterator<Item = (u64, u64)> {
    let parts = parts();
    let own = &raw const sys::__ehdr_start as u64;
    // The one file, or all but one.
    let (file, others) = match code {
        0 => (parts.find(own), true),
        _ => (parts.find(code).filter(|part| !part.known), false),
    };
    let all = &parts.all[..parts.used];
    // A file without code is data of the program's, or of ours.
    let has_code = |part: &Part| all.iter().any(|one| one.file == part.file && one.code);
    all.iter()
        .filter(move |part| file.is_some_and(|file| (part.file == file.file) != others))
        .filter(move |part| part.variables && !part.known && has_code(part))
        // What is ours has megabytes, and nobody else knows of it.
        .flat_map(|part| without(part.from..part.to, sys::own_variables()))
        .map(|range| (range.start, range.end - range.start))
}

/// What is left of a range without these, of which the first is the lower one.
fn without(range: Range<u64>, [low, high]: [Range<u64>; 2]) -> impl Iterator<Item = Range<u64>> {
    let between = [
        range.start..low.start,
        low.end..high.start,
        high.end..range.end,
    ];
    let within = move |part: Range<u64>| {
        let part = part.start.max(range.start)..part.end.min(range.end);
        (!part.is_empty()).then_some(part)
    };
    between.into_iter().filter_map(within)
}

/// Has a function the mark of those that are instrumented?
pub fn has_mark(function: u64) -> bool {
    let part = parts().find(function).filter(|part| part.code);
    let mark = |before: u64| {
        let at = function.wrapping_sub(before);
        let inside = part.is_some_and(|part| part.from <= at && at.is_multiple_of(8));
        // SAFETY: of code that the loader has mapped, which can be read.
        inside && unsafe { *(at as *const u64) } == FOLLOWED_MARK
    };
    // Some sanitizers have a word of their own between.
    mark(8) || mark(16)
}

/// Is there code at an address that may do anything: of the C library, or of another that is not instrumented? What the
/// other libraries of the system do is known by what they are given.
pub fn may_do_anything(code: u64) -> bool {
    let parts = parts();
    let own = &raw const sys::__ehdr_start as u64;
    let own = parts.find(own).map(|part| part.file);
    match parts.find(code) {
        Some(part) if part.known => part.c_library,
        Some(part) => Some(part.file) != own && !parts.is_instrumented(part.file),
        None => false,
    }
}

/// An object that is instrumented has this variable.
pub fn note_instrumented(variable: u64) {
    let parts = parts();
    if parts.objects < parts.instrumented.len() {
        parts.instrumented[parts.objects] = variable;
        parts.objects += 1;
    }
}

/// Functions that have no models, since nothing comes back from them.
const OUTPUT: [&str; 9] = [
    "puts", "printf", "fprintf", "putchar", "fputc", "fputs", "fwrite", "perror", "syslog",
];

/// Where a library of the program's that is not instrumented has a function by the name of one of the C library's that
/// has a model, the model may have been called in its place. Whether it is called at all is not asked.
pub fn look_for_names() {
    for name in libc::modelled().chain(OUTPUT) {
        let mut text = [0u8; 64];
        text[..name.len()].copy_from_slice(name.as_bytes());
        // SAFETY: names are shorter than the text, so that a NUL follows.
        let function = unsafe { sys::dlsym(sys::RTLD_DEFAULT, text.as_ptr().cast()) } as u64;
        if function != 0 && is_of_others(function) {
            return counted::unfollowed();
        }
    }
}

/// Variables of which each thread has its own, of libraries that are neither of the system nor instrumented: where they
/// are from what the thread's register points to, and how large.
struct Own {
    pieces: [(i64, u64); MOST_OWN],
    used: usize,
}

const MOST_OWN: usize = 16;

static OWN: Turns<Own> = Turns::new(Own {
    pieces: [(0, 0); MOST_OWN],
    used: 0,
});

/// Looks for what libraries have that were loaded with the program.
pub fn look_for_threads_variables() {
    unsafe extern "C" fn visit(object: *const Loaded, _: usize, _: *mut c_void) -> c_int {
        // SAFETY: the loader's description of an object.
        let object = unsafe { &*object };
        // SAFETY: as above.
        let (segments, code) = unsafe { (object.segments(), object.code()) };
        let own = segments.iter().find(|segment| segment.is_of_threads());
        // SAFETY: its users take turns, as `Turns` says.
        let all = unsafe { &mut *OWN.get() };
        if let (Some(own), Some(code)) = (own, code)
            && object.variables != 0
            && is_of_others(code)
            && all.used < MOST_OWN
        {
            let from_thread = object.variables.wrapping_sub(sys::thread()) as i64;
            all.pieces[all.used] = (from_thread, own.size);
            all.used += 1;
        }
        0
    }
    // SAFETY: what is called keeps to what the loader asks for.
    unsafe { loaded::dl_iterate_phdr(visit, core::ptr::null_mut()) };
}

/// Those of the running thread.
pub fn threads_variables() -> impl Iterator<Item = (u64, u64)> {
    // SAFETY: its users take turns, as `Turns` says.
    let all = unsafe { &*OWN.get() };
    let pieces = all.pieces[..all.used].iter();
    pieces.map(|(from, size)| (sys::thread().wrapping_add_signed(*from), *size))
}

/// Is there code of a library that is neither of the system nor instrumented?
pub fn is_of_others(code: u64) -> bool {
    part_of_others(code).is_some_and(|part| part.code)
}

/// What functions are given that are called at the end.
struct AtTheEnd {
    given: [u64; MOST_AT_THE_END],
    used: usize,
}

const MOST_AT_THE_END: usize = 64;

static AT_THE_END: Turns<AtTheEnd> = Turns::new(AtTheEnd {
    given: [0; MOST_AT_THE_END],
    used: 0,
});

/// Before a function is kept that the system will call: with `object` at the end, or nobody knows when.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_function_given(site: u32, function: u64, object: u64) {
    if !state().traced() || !is_of_others(function) {
        return;
    }
    // SAFETY: its users take turns, as `Turns` says.
    let all = unsafe { &mut *AT_THE_END.get() };
    match all.given.get_mut(all.used) {
        Some(place) if object != 0 => {
            *place = object;
            all.used += 1;
        }
        _ => {
            frame().site = site;
            counted::count(Reason::Memory);
        }
    }
}

/// What functions of others are given at the end.
pub fn given_at_the_end() -> impl Iterator<Item = (u64, Option<u32>)> {
    // SAFETY: its users take turns, as `Turns` says.
    let all = unsafe { &*AT_THE_END.get() };
    let given = all.given[..all.used].iter();
    given.map(|object| (*object, None))
}

/// Has a library that is neither of the system nor instrumented this address among its variables?
pub fn is_variable_of_others(address: u64) -> bool {
    part_of_others(address).is_some_and(|part| part.variables)
}

/// The part of such a library that this is in.
fn part_of_others(address: u64) -> Option<Part> {
    let parts = parts();
    let own = &raw const sys::__ehdr_start as u64;
    let own = parts.find(own).map(|part| part.file);
    let others = |part: &Part| !part.known && Some(part.file) != own;
    let part = parts.find(address).filter(others)?;
    (!parts.is_instrumented(part.file)).then_some(part)
}

/// Does such a library run, as far as calls of it tell?
pub fn others_run() -> bool {
    let callee = frame().callee;
    callee != 0 && is_of_others(callee)
}

/// Is there code or a variable of the system's libraries?
pub fn is_of_system(address: u64) -> bool {
    parts().find(address).is_some_and(|part| part.known)
}

impl Parts {
    fn is_instrumented(&mut self, file: u64) -> bool {
        (0..self.objects).any(|at| {
            let part = self.find(self.instrumented[at]);
            part.is_some_and(|part| part.file == file)
        })
    }

    /// Looks again where an address is in nothing that is known: it may have been loaded since.
    fn find(&mut self, address: u64) -> Option<Part> {
        let inside = |part: &&Part| (part.from..part.to).contains(&address);
        let found = self.all[..self.used].iter().find(inside).copied();
        if found.is_some() || self.outside == address {
            return found;
        }
        self.used = 0;
        maps::each(|line| self.add(line));
        let found = self.all[..self.used].iter().find(inside).copied();
        if found.is_none() {
            self.outside = address;
        }
        found
    }

    fn add(&mut self, line: &Line) {
        let before = self.used.checked_sub(1).map(|at| &mut self.all[at]);
        let mut c_library = false;
        let (file, known) = match before {
            _ if line.file != 0 => {
                let name = line.path.rsplit(|byte| *byte == b'/').next();
                let name = name.unwrap_or_default();
                let known = is_file_of_system(line.path);
                c_library = name.starts_with(b"libc.so") || name.starts_with(b"libc-");
                if let Some(before) = before
                    && line.writes
                    && before.file == line.file
                {
                    // What the loader has written, addresses of variables among it, is before what may be
                    // written still.
                    before.variables = !before.code;
                }
                (line.file, known)
            }
            // Variables without a value follow those with one, and belong to no file.
            Some(before)
                if line.path.is_empty()
                    && line.writes
                    && before.variables
                    && before.to == line.from =>
            {
                (before.file, before.known)
            }
            _ => return,
        };
        if self.used == MOST {
            // Whatever the others hold is not looked at.
            return counted::unfollowed();
        }
        self.all[self.used] = Part {
            from: line.from,
            to: line.to,
            file,
            code: line.code,
            variables: line.reads && line.writes,
            known,
            c_library,
        };
        self.used += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn what_is_left_is_everything_else() {
        for (from, to) in [
            (0, 40),
            (0, 12),
            (12, 18),
            (5, 25),
            (25, 28),
            (10, 30),
            (30, 40),
        ] {
            let left: Vec<u64> = without(from..to, [10..20, 22..30]).flatten().collect();
            let expected = (from..to).filter(|at| !(10..20).contains(at) && !(22..30).contains(at));
            assert_eq!(left, expected.collect::<Vec<u64>>(), "{from} to {to}");
        }
        // Where nothing is ours, which is at the end.
        let mut left = without(5..9, [u64::MAX..u64::MAX, u64::MAX..u64::MAX]);
        assert_eq!((left.next(), left.next()), (Some(5..9), None));
    }
}
