//! Binaries and bitstrings: known, of bytes that are terms, or a part of an input of unknown length.

use super::NodeId;
use elsewise_term::{TermId, Terms};
use std::cmp::Ordering;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Byte {
    Known(u8),
    /// Of eight bits.
    Term(TermId),
}

/// Lengths and offsets are in bits.
#[derive(Clone, Debug)]
pub enum Binary {
    Known {
        data: Arc<[u8]>,
        from: usize,
        len: usize,
    },
    /// Its length is known, some of its bytes are terms.
    Mixed {
        data: Arc<[Byte]>,
        from: usize,
        len: usize,
    },
    /// All of an input from here on.
    Rest { node: NodeId, from: usize },
}

impl Binary {
    pub fn known(data: Arc<[u8]>, len: usize) -> Binary {
        Binary::Known { data, from: 0, len }
    }

    pub fn is_symbolic(&self) -> bool {
        !matches!(self, Binary::Known { .. })
    }

    /// Length in bits, if it is known.
    pub fn len(&self) -> Option<usize> {
        match self {
            Binary::Known { len, .. } | Binary::Mixed { len, .. } => Some(*len),
            Binary::Rest { .. } => None,
        }
    }

    /// The part with these bits of one whose length is known.
    pub fn part(&self, at: usize, size: usize) -> Binary {
        match self {
            Binary::Known { data, from, .. } => Binary::Known {
                data: data.clone(),
                from: from + at,
                len: size,
            },
            Binary::Mixed { data, from, .. } => Binary::Mixed {
                data: data.clone(),
                from: from + at,
                len: size,
            },
            Binary::Rest { .. } => self.clone(),
        }
    }

    /// Bits of one that is known, first bit highest.
    pub fn bit(&self, at: usize) -> Option<bool> {
        let Binary::Known { data, from, len } = self else {
            return None;
        };
        let place = from + at;
        (at < *len).then(|| data[place / 8] >> (7 - place % 8) & 1 == 1)
    }

    /// Bytes of one that is known, the last one filled up with zeros, and the number of bits.
    pub fn packed(&self) -> (Vec<u8>, usize) {
        let Binary::Known { data, from, len } = self else {
            return (Vec::new(), 0);
        };
        if from % 8 == 0 && len % 8 == 0 {
            return (data[from / 8..(from + len) / 8].to_vec(), *len);
        }
        let mut bytes = vec![0; len.div_ceil(8)];
        for at in 0..*len {
            if self.bit(at) == Some(true) {
                bytes[at / 8] |= 1 << (7 - at % 8);
            }
        }
        (bytes, *len)
    }

    /// As Erlang orders them: by bits, the shorter one first where it is the beginning.
    pub fn compare(&self, other: &Binary) -> Ordering {
        let (a, a_len) = self.packed();
        let (b, b_len) = other.packed();
        let common = a_len.min(b_len);
        let (mine, others) = (
            self.part(0, common).packed().0,
            other.part(0, common).packed().0,
        );
        mine.cmp(&others).then_with(|| {
            drop((a, b));
            a_len.cmp(&b_len)
        })
    }

    /// The bits as one term, first bit highest; none if they are not all there.
    pub fn bits(&self, terms: &mut Terms, at: usize, size: usize) -> Option<TermId> {
        let (from, len) = match self {
            Binary::Known { from, len, .. } | Binary::Mixed { from, len, .. } => (*from, *len),
            Binary::Rest { .. } => return None,
        };
        if at + size > len || size == 0 {
            return None;
        }
        let byte = |terms: &mut Terms, index: usize| match self {
            Binary::Known { data, .. } => terms.bits(8, data[index].into()),
            Binary::Mixed { data, .. } => match data[index] {
                Byte::Known(value) => terms.bits(8, value.into()),
                Byte::Term(term) => term,
            },
            Binary::Rest { .. } => unreachable!("its bytes are the input's"),
        };
        gather(terms, from + at, size, byte)
    }
}

/// Bits `from .. from + size` of bytes, as one term.
pub fn gather(
    terms: &mut Terms,
    from: usize,
    size: usize,
    mut byte: impl FnMut(&mut Terms, usize) -> TermId,
) -> Option<TermId> {
    let mut whole: Option<TermId> = None;
    let mut at = from;
    while at < from + size {
        let until = (at / 8 * 8 + 8).min(from + size);
        let term = byte(terms, at / 8);
        let width = (until - at) as u32;
        let low = (8 - (until - 1) % 8 - 1) as u32;
        let part = match width {
            8 => term,
            _ => terms.extract(term, low, width),
        };
        whole = Some(match whole {
            Some(above) => terms.concat(above, part),
            None => part,
        });
        at = until;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a row of bits.
    fn row(binary: &Binary) -> Vec<bool> {
        let len = binary.len().unwrap_or(0);
        (0..len)
            .map(|at| binary.bit(at).expect("it is known"))
            .collect()
    }

    /// All of at most five bits, at every place in a byte and over its border.
    fn all() -> Vec<Binary> {
        let mut all = Vec::new();
        for from in [0, 3, 6] {
            for len in 0..=5 {
                for bits in 0..1u16 << len {
                    let word = bits << (16 - len as u32).min(15) >> from;
                    let word = if len == 0 { 0xffff } else { word };
                    let data: Arc<[u8]> = word.to_be_bytes()[..].into();
                    all.push(Binary::Known { data, from, len });
                }
            }
        }
        all
    }

    #[test]
    fn binaries_are_ordered_by_their_bits() {
        for one in all() {
            for other in all() {
                let expected = row(&one).cmp(&row(&other));
                assert_eq!(one.compare(&other), expected, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn what_is_packed_has_its_bits_in_front() {
        for one in all() {
            let (bytes, len) = one.packed();
            assert_eq!(bytes.len(), len.div_ceil(8));
            let again = Binary::known(bytes.clone().into(), len);
            assert_eq!(row(&again), row(&one));
            // Zeroes fill the last byte.
            let filled = Binary::known(bytes.clone().into(), bytes.len() * 8);
            assert!(row(&filled)[len..].iter().all(|bit| !bit));
        }
    }

    #[test]
    fn a_part_is_a_piece_of_the_row() {
        let whole = Binary::known([0xa5, 0x3c, 0x0f][..].into(), 21);
        for at in 0..=21 {
            for size in 0..=21 - at {
                let part = whole.part(at, size);
                assert_eq!(row(&part), row(&whole)[at..at + size]);
                // And a part of a part.
                let rest = part.part(size / 2, size - size / 2);
                assert_eq!(row(&rest), row(&whole)[at + size / 2..at + size]);
            }
        }
    }

    #[test]
    fn bits_are_one_number_with_the_first_highest() {
        let mut terms = Terms::new();
        let whole = Binary::known([0xa5, 0x3c, 0x0f][..].into(), 24);
        for at in 0..24 {
            for size in 1..=24 - at {
                let term = whole.bits(&mut terms, at, size).expect("they are there");
                let expected = 0xa5_3c0f_u64 >> (24 - at - size) & ((1 << size) - 1);
                assert_eq!(terms.as_u64(term), Some(expected), "{at} {size}");
                assert_eq!(terms.width(term) as usize, size);
            }
        }
        assert_eq!(whole.bits(&mut terms, 20, 5), None);
        assert_eq!(whole.bits(&mut terms, 4, 0), None);
    }
}
