//! Lines of a file as it was explored, found again in the file as it is now.

/// For each line of the old text, which line of the new one it is; all counted from 0.
pub struct LineMap {
    to: Vec<Option<usize>>,
    pub same: bool,
}

impl LineMap {
    /// Lines before the first change and behind the last one are known for sure. Between them, a line is the one with the
    /// same words, if there is only one such line.
    pub fn new(old: &str, new: &str) -> LineMap {
        let old: Vec<&str> = old.lines().collect();
        let new: Vec<&str> = new.lines().collect();
        let equal = |(old, new): &(&&str, &&str)| old == new;
        let before = old.iter().zip(&new).take_while(equal).count();
        let most = old.len().min(new.len()) - before;
        let behind = old.iter().rev().zip(new.iter().rev());
        let behind = behind.take(most).take_while(equal).count();
        let middle = &new[before..new.len() - behind];
        let only = |line: &str| {
            let words = line.trim();
            let mut found = middle
                .iter()
                .enumerate()
                .filter(|(_, one)| one.trim() == words);
            let first = found.next()?;
            (!words.is_empty() && found.next().is_none()).then_some(before + first.0)
        };
        let to = old.iter().enumerate().map(|(number, line)| {
            if number < before {
                Some(number)
            } else if number >= old.len() - behind {
                Some(number + new.len() - old.len())
            } else {
                only(line)
            }
        });
        LineMap {
            to: to.collect(),
            same: old == new,
        }
    }

    /// Where a line is now; none if it is not known any more.
    pub fn now(&self, line: usize) -> Option<usize> {
        self.to.get(line).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(old: &str, new: &str) -> Vec<Option<usize>> {
        let (old, new) = (old.replace(' ', "\n"), new.replace(' ', "\n"));
        let map = LineMap::new(&old, &new);
        (0..old.lines().count()).map(|line| map.now(line)).collect()
    }

    #[test]
    fn lines_are_followed_as_far_as_they_can_be() {
        assert_eq!(map("a b c", "a b c"), [Some(0), Some(1), Some(2)]);
        assert_eq!(map("a b c", "a x b c"), [Some(0), Some(2), Some(3)]);
        assert_eq!(map("a b c", "a x c"), [Some(0), None, Some(2)]);
        assert_eq!(map("a b c d", "a c x d"), [Some(0), None, Some(1), Some(3)]);
        // Which of them it is cannot be told.
        assert_eq!(map("a b c", "a b b x"), [Some(0), Some(1), None]);
        assert_eq!(map("x b y", "p b b q"), [None, None, None]);
        assert_eq!(map("a", ""), [None]);
        assert_eq!(LineMap::new("a", "a").now(7), None);
        assert!(LineMap::new("a\n", "a\n").same && !LineMap::new("a", "b").same);
    }
}
