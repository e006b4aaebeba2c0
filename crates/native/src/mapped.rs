//! Files in the memory of a process.

use std::path::PathBuf;

/// A file in a process's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    pub path: PathBuf,
    /// Address of the file's beginning, and of the end of what is mapped.
    pub low: u64,
    pub high: u64,
}

/// The executable files that a process has in its memory, from the lines of its `maps`.
pub fn parse_maps(text: &str) -> Vec<Mapped> {
    let mut out: Vec<Mapped> = Vec::new();
    for line in text.lines() {
        let mut words = line.splitn(6, ' ');
        let (Some(range), Some(path)) = (words.next(), words.nth(4)) else {
            continue;
        };
        let path = path.trim_start();
        let hex = |word| u64::from_str_radix(word, 16).ok();
        let bounds = range.split_once('-').and_then(|(a, b)| hex(a).zip(hex(b)));
        let Some((low, high)) = bounds.filter(|_| path.starts_with('/')) else {
            continue;
        };
        match out
            .iter_mut()
            .find(|mapped| mapped.path.as_os_str() == path)
        {
            Some(mapped) => mapped.high = mapped.high.max(high),
            None => out.push(Mapped {
                path: path.into(),
                low,
                high,
            }),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_memory() {
        let text = "5000-6000 r--p 00000000 fe:01 10 /bin/a b\n\
            6000-8000 r-xp 00001000 fe:01 10 /bin/a b\n\
            7ff0-7ff8 rw-p 00000000 00:00 0 \n\
            7ffd-7fff rw-p 00000000 00:00 0          [stack]\nnonsense\n";
        let found = parse_maps(text);
        assert_eq!(
            found,
            [Mapped {
                path: "/bin/a b".into(),
                low: 0x5000,
                high: 0x8000
            }]
        );
    }
}
