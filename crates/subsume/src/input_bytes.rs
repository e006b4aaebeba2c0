//! What a program is given, by name, number and place.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// One byte of an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct InputByte {
    pub name: Arc<str>,
    pub occurrence: u32,
    pub offset: u32,
}

#[derive(Default)]
pub(crate) struct InputBytes {
    list: Vec<InputByte>,
    numbers: FxHashMap<InputByte, u32>,
    /// How much of each name the present path has used.
    used: FxHashMap<Arc<str>, u32>,
}

impl InputBytes {
    /// The number of a byte.
    pub fn number(&mut self, name: &Arc<str>, occurrence: u32, offset: u32) -> u32 {
        let given = InputByte {
            name: name.clone(),
            occurrence,
            offset,
        };
        let next = self.list.len() as u32;
        *self.numbers.entry(given).or_insert_with_key(|given| {
            self.list.push(given.clone());
            next
        })
    }

    pub fn list(&self) -> &[InputByte] {
        &self.list
    }

    pub fn used(&self, name: &str) -> u32 {
        self.used.get(name).copied().unwrap_or(0)
    }

    pub fn set_used(&mut self, name: &Arc<str>, used: u32) {
        self.used.insert(name.clone(), used);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_has_one_number_on_every_path() {
        let mut bytes = InputBytes::default();
        let (x, y): (Arc<str>, Arc<str>) = ("x".into(), "y".into());
        let first = bytes.number(&x, 0, 0);
        let others = [(&x, 0, 1), (&x, 1, 0), (&y, 0, 0)];
        for (name, occurrence, offset) in others {
            assert_ne!(bytes.number(name, occurrence, offset), first);
        }
        assert_eq!(bytes.number(&x, 0, 0), first);
        assert_eq!(bytes.list().len(), 4);
        assert_eq!(&*bytes.list()[3].name, "y");
    }

    #[test]
    fn what_is_used_is_counted_by_name() {
        let mut bytes = InputBytes::default();
        bytes.set_used(&"x".into(), 3);
        assert_eq!((bytes.used("x"), bytes.used("y")), (3, 0));
    }
}
