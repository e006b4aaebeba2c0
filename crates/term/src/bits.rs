//! Bit-vector values of any width.

/// A bit-vector value. Widths up to 64 bits (nearly all of them) need no allocation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    /// Lowest 64 bits; bits above `width` are zero.
    low: u64,
    /// Words above the lowest, empty for widths up to 64.
    high: Box<[u64]>,
}

impl Bits {
    /// `value` cut to `width` bits.
    pub fn new(width: u32, value: u64) -> Bits {
        assert!(width > 0);
        let words = width.div_ceil(64) as usize;
        let low = if width < 64 {
            value & ((1 << width) - 1)
        } else {
            value
        };
        Bits {
            width,
            low,
            high: vec![0; words - 1].into(),
        }
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value if it fits 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        self.high.iter().all(|word| *word == 0).then_some(self.low)
    }
}
