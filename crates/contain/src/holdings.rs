//! What the processes of a run hold that the directory does not show and no limit of a single process
//! bounds: files without names, and memory that is a file, is shared, or is that of several processes.

use super::{Area, Family, MAX_PROCESSES, Overrun};
use crate::family::{Member, kilobytes};
use elsewise_wire::{FLAGS_BASE, SHADOW_BASE, SHADOW_SIZE};
use rustix::fs::{AtFlags, Dir, Mode, OFlags, openat, readlinkat, statat};
use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

/// What a run may take.
pub struct Bounds {
    /// Bytes in files; 0 = no limit.
    pub disk: u64,
    /// Bytes of memory of all processes together; 0 = no limit.
    pub memory: u64,
    /// Files in memory that are the engine's, by their inodes.
    pub ours: Vec<u64>,
    /// The program is instrumented.
    pub instrumented: bool,
}

/// What all processes of a run may have together where each may have `limit`, and begins with `base`.
pub fn memory_of_all(limit: u64, base: u64) -> u64 {
    // As much beside as a program that is run by itself may have from the start.
    const BESIDE: u64 = 256 << 20;
    match limit {
        0 => 0,
        limit => limit.saturating_add(BESIDE).saturating_add(base),
    }
}

/// How long it is from one look at what a run takes to the next, when it has taken so long.
pub fn look(elapsed: Duration) -> Duration {
    Duration::from_millis(match elapsed.as_millis() {
        0..200 => 10,
        _ => 50,
    })
}

/// What a run took more of than it may.
pub fn overrun(area: &Area, family: &Family, spared: &[i32], bounds: &Bounds) -> Option<Overrun> {
    let numbers = family.numbers();
    if numbers.is_ok_and(|all| all.len() > MAX_PROCESSES + spared.len()) {
        return Some(Overrun::Processes);
    }
    let mut held = Held::default();
    // Who is gone holds nothing any more.
    let _ = family.visit(spared, |member| held.add_files(member, area, bounds));
    if area.is_over(bounds.disk, held.unnamed.values().sum()) {
        return Some(Overrun::Disk);
    }
    if bounds.memory == 0 {
        return None;
    }
    let in_files: u64 = held.in_memory.values().sum();
    let mut at_most = in_files;
    let _ = family.visit(spared, |member| at_most += member.resident());
    if at_most <= bounds.memory {
        return None;
    }
    // Pages that several have were counted for each of them: look again, which takes longer.
    let mut exactly = in_files;
    let _ = family.visit(spared, |member| exactly += held.share(member, bounds));
    (exactly > bounds.memory).then_some(Overrun::Memory)
}

/// Sizes of open files by their inodes.
#[derive(Default)]
struct Held {
    unnamed: HashMap<u64, u64>,
    in_memory: HashMap<u64, u64>,
}

const IN_MEMORY: &[u8] = b"/memfd:";

impl Held {
    fn add_files(&mut self, member: &Member, area: &Area, bounds: &Bounds) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let below = area.real_path().as_os_str().as_bytes();
        let open = openat(member.folder(), "fd", flags, Mode::empty());
        let entries = open.and_then(|folder| Ok((Dir::read_from(&folder)?, folder)));
        if let Ok((entries, folder)) = entries {
            for entry in entries.flatten() {
                let name = entry.file_name();
                let Ok(leads_to) = readlinkat(&folder, name, Vec::new()) else {
                    continue;
                };
                let leads_to = leads_to.as_bytes();
                let sizes = if leads_to.starts_with(IN_MEMORY) {
                    &mut self.in_memory
                } else if leads_to.starts_with(below) {
                    &mut self.unnamed
                } else {
                    continue;
                };
                if let Ok(stat) = statat(&folder, name, AtFlags::empty())
                    && stat.st_nlink == 0
                    && !bounds.ours.contains(&stat.st_ino)
                {
                    sizes.insert(stat.st_ino, stat.st_blocks as u64 * 512);
                }
            }
        }
        // A file that is mapped needs no descriptor; what is mapped of it is all that is known.
        for mapping in member.read("maps").unwrap_or_default().lines() {
            let Some(mapping) = Mapping::parse(mapping) else {
                continue;
            };
            if mapping.path.ends_with(" (deleted)") && mapping.path.as_bytes().starts_with(below) {
                let size = self.unnamed.entry(mapping.inode).or_default();
                *size = (*size).max(mapping.to - mapping.from);
            }
        }
    }

    /// Bytes of memory that a process has for itself, and its share of what it has with others.
    fn share(&self, member: &Member, bounds: &Bounds) -> u64 {
        let text = member.read("smaps").unwrap_or_default();
        let mut counts = false;
        let mut sum = 0;
        for line in text.lines() {
            if let Some(mapping) = Mapping::parse(line) {
                let left_out = (mapping.inode != 0 && !mapping.is_memory())
                    || (bounds.instrumented && mapping.is_of_instrumentation())
                    || bounds.ours.contains(&mapping.inode)
                    || self.in_memory.contains_key(&mapping.inode);
                counts = !left_out;
            } else if counts && let Some(size) = kilobytes(line, "Pss:") {
                sum += size;
            }
        }
        sum
    }
}

/// `from-to rwxp offset device inode path`
struct Mapping<'a> {
    from: u64,
    to: u64,
    inode: u64,
    path: &'a str,
}

impl Mapping<'_> {
    fn parse(line: &str) -> Option<Mapping<'_>> {
        let mut words = line.splitn(6, ' ');
        let (from, to) = words.next()?.split_once('-')?;
        let inode = words.nth(3)?.parse().ok()?;
        Some(Mapping {
            from: u64::from_str_radix(from, 16).ok()?,
            to: u64::from_str_radix(to, 16).ok()?,
            inode,
            path: words.next().unwrap_or_default().trim_start(),
        })
    }

    /// A file that is nothing but memory.
    fn is_memory(&self) -> bool {
        ["/memfd:", "/dev/zero (deleted)", "/SYSV"]
            .iter()
            .any(|begin| self.path.starts_with(begin))
    }

    /// The shadow, and the table of blocks behind it, are none of the program's.
    fn is_of_instrumentation(&self) -> bool {
        const END: u64 = SHADOW_BASE + SHADOW_SIZE + (SHADOW_SIZE >> 4);
        (FLAGS_BASE..END).contains(&self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_system() {
        let line = "7f00-7f10 rw-s 00000000 00:01 77                  /memfd:a b (deleted)";
        let mapping = Mapping::parse(line).unwrap();
        assert_eq!(
            (mapping.from, mapping.to, mapping.inode),
            (0x7f00, 0x7f10, 77)
        );
        assert!(mapping.is_memory() && mapping.path == "/memfd:a b (deleted)");
        let heap = Mapping::parse("5000-6000 rw-p 00000000 00:00 0      [heap]").unwrap();
        assert!(!heap.is_memory() && heap.inode == 0 && !heap.is_of_instrumentation());
        assert!(Mapping::parse("Pss:                 436 kB").is_none());
        assert_eq!(
            kilobytes("Pss:                 436 kB", "Pss:"),
            Some(436 << 10)
        );
        assert_eq!(kilobytes("Pss_Anon:            436 kB", "Pss:"), None);
        assert_eq!(
            kilobytes("RssAnon:\t      92 kB", "RssAnon:"),
            Some(92 << 10)
        );
    }
}
