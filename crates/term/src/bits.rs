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

/// The lowest `width` bits set; all 64 for wider ones.
pub(crate) fn mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// `value`, a number of `width` bits (1 to 64), with its sign bit repeated above.
pub(crate) fn signed(width: u32, value: u64) -> i64 {
    let shift = 64 - width;
    ((value << shift) as i64) >> shift
}

impl Bits {
    /// `value` cut to `width` bits.
    pub fn new(width: u32, value: u64) -> Bits {
        assert!(width > 0, "a bit-vector has at least one bit");
        Bits {
            width,
            low: value & mask(width),
            high: vec![0; width.div_ceil(64) as usize - 1].into(),
        }
    }

    pub fn zero(width: u32) -> Bits {
        Bits::new(width, 0)
    }

    /// All bits set.
    pub fn ones(width: u32) -> Bits {
        Bits::zero(width).not()
    }

    /// The value with these 64-bit words, lowest first, cut or zero-extended to `width` bits.
    pub fn from_words(width: u32, words: &[u64]) -> Bits {
        let mut bits = Bits::zero(width);
        if let Some(low) = words.first() {
            bits.low = *low;
        }
        for (to, from) in bits.high.iter_mut().zip(words.iter().skip(1)) {
            *to = *from;
        }
        bits.trim();
        bits
    }

    /// Clears what is above the width.
    fn trim(&mut self) {
        if self.width < 64 {
            self.low &= mask(self.width);
        } else if let Some(last) = self.high.last_mut() {
            let rest = self.width % 64;
            if rest > 0 {
                *last &= mask(rest);
            }
        }
    }

    /// An integer in two's complement, least byte first, cut or extended to a width.
    pub fn from_signed_bytes(width: u32, bytes: &[u8]) -> Bits {
        let fill = match bytes.last() {
            Some(last) if last >> 7 == 1 => 0xff,
            _ => 0,
        };
        let byte = |at: usize| bytes.get(at).copied().unwrap_or(fill);
        let words: Vec<u64> = (0..(width as usize).div_ceil(64))
            .map(|word| u64::from_le_bytes(std::array::from_fn(|at| byte(8 * word + at))))
            .collect();
        Bits::from_words(width, &words)
    }

    /// The integer in two's complement that these bits are, least byte first.
    pub fn to_signed_bytes(&self) -> Vec<u8> {
        let wide = self.sign_extend(self.width().div_ceil(64) * 64);
        wide.words().flat_map(u64::to_le_bytes).collect()
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value if it fits 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        self.high.iter().all(|word| *word == 0).then_some(self.low)
    }

    /// The lowest 64 bits.
    pub fn low_u64(&self) -> u64 {
        self.low
    }

    /// The value in 64-bit words, lowest first.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::once(self.low).chain(self.high.iter().copied())
    }

    fn word(&self, index: usize) -> u64 {
        match index {
            0 => self.low,
            _ => self.high.get(index - 1).copied().unwrap_or(0),
        }
    }

    fn narrow(&self) -> bool {
        self.width <= 64
    }

    /// Bit `index`, 0 being the lowest; bits above the width are not set.
    pub fn bit(&self, index: u32) -> bool {
        self.word(index as usize / 64) >> (index % 64) & 1 == 1
    }

    /// The highest bit.
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }

    pub fn is_zero(&self) -> bool {
        self.low == 0 && self.high.iter().all(|word| *word == 0)
    }

    pub fn is_ones(&self) -> bool {
        self.trailing_ones() == self.width
    }

    pub fn is_one(&self) -> bool {
        self.to_u64() == Some(1)
    }

    /// Number of bits up to the highest set one.
    pub fn bit_length(&self) -> u32 {
        for (index, word) in self.high.iter().enumerate().rev() {
            if *word != 0 {
                return (index as u32 + 2) * 64 - word.leading_zeros();
            }
        }
        64 - self.low.leading_zeros()
    }

    /// Number of unset bits below the lowest set one; the width for zero.
    pub fn trailing_zeros(&self) -> u32 {
        let mut count = 0;
        for word in self.words() {
            if word != 0 {
                return count + word.trailing_zeros();
            }
            count += 64;
        }
        self.width
    }

    /// Number of set bits below the lowest unset one.
    pub fn trailing_ones(&self) -> u32 {
        let mut count = 0;
        for word in self.words() {
            count += word.trailing_ones();
            if word != u64::MAX {
                break;
            }
        }
        count.min(self.width)
    }

    /// `Some(n)` for 2 to the power of n.
    pub fn power_of_two(&self) -> Option<u32> {
        let low = self.trailing_zeros();
        (low < self.width && self.bit_length() == low + 1).then_some(low)
    }

    fn zip(&self, other: &Bits, f: impl Fn(u64, u64) -> u64) -> Bits {
        assert_eq!(self.width, other.width, "operands of one width");
        let mut result = Bits {
            width: self.width,
            low: f(self.low, other.low),
            high: self
                .high
                .iter()
                .zip(&other.high)
                .map(|(a, b)| f(*a, *b))
                .collect(),
        };
        result.trim();
        result
    }

    pub fn and(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a & b)
    }

    pub fn or(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a | b)
    }

    pub fn xor(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a ^ b)
    }

    pub fn not(&self) -> Bits {
        self.zip(self, |a, _| !a)
    }

    /// `self + other + carry`.
    fn add_carry(&self, other: &Bits, mut carry: bool) -> Bits {
        assert_eq!(self.width, other.width, "operands of one width");
        let mut result = Bits::zero(self.width);
        for index in 0..=self.high.len() {
            let (sum, over) = self.word(index).overflowing_add(other.word(index));
            let (sum, over_carry) = sum.overflowing_add(carry.into());
            carry = over || over_carry;
            result.set_word(index, sum);
        }
        result.trim();
        result
    }

    fn set_word(&mut self, index: usize, word: u64) {
        match index {
            0 => self.low = word,
            _ => self.high[index - 1] = word,
        }
    }

    pub fn add(&self, other: &Bits) -> Bits {
        self.add_carry(other, false)
    }

    pub fn sub(&self, other: &Bits) -> Bits {
        self.add_carry(&other.not(), true)
    }

    pub fn neg(&self) -> Bits {
        Bits::zero(self.width).sub(self)
    }

    pub fn mul(&self, other: &Bits) -> Bits {
        assert_eq!(self.width, other.width, "operands of one width");
        if self.narrow() {
            return Bits::new(self.width, self.low.wrapping_mul(other.low));
        }
        let count = self.high.len() + 1;
        let mut words = vec![0u64; count];
        for i in 0..count {
            let mut carry = 0u128;
            for j in 0..count - i {
                let sum = u128::from(self.word(i)) * u128::from(other.word(j))
                    + u128::from(words[i + j])
                    + carry;
                words[i + j] = sum as u64;
                carry = sum >> 64;
            }
        }
        Bits::from_words(self.width, &words)
    }

    /// Quotient and remainder; by zero: all ones and the dividend.
    fn divide(&self, other: &Bits) -> (Bits, Bits) {
        assert_eq!(self.width, other.width, "operands of one width");
        if other.is_zero() {
            return (Bits::ones(self.width), self.clone());
        }
        if let (Some(a), Some(b)) = (self.to_u64(), other.to_u64()) {
            return (Bits::new(self.width, a / b), Bits::new(self.width, a % b));
        }
        let mut quotient = Bits::zero(self.width);
        let mut rest = Bits::zero(self.width);
        for index in (0..self.bit_length()).rev() {
            // The bit that leaves at the top makes the rest larger than any divisor.
            let over = rest.sign();
            rest = rest.shl_by(1);
            rest.low |= u64::from(self.bit(index));
            if over || other.ule(&rest) {
                rest = rest.sub(other);
                let word = index as usize / 64;
                quotient.set_word(word, quotient.word(word) | 1 << (index % 64));
            }
        }
        (quotient, rest)
    }

    /// Division by zero gives all ones.
    pub fn udiv(&self, other: &Bits) -> Bits {
        self.divide(other).0
    }

    /// Remainder by zero is the dividend.
    pub fn urem(&self, other: &Bits) -> Bits {
        self.divide(other).1
    }

    fn magnitude(&self) -> Bits {
        if self.sign() {
            self.neg()
        } else {
            self.clone()
        }
    }

    /// Rounds towards zero; division by zero gives 1 for negative dividends, else -1.
    pub fn sdiv(&self, other: &Bits) -> Bits {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.sign() != other.sign() {
            quotient.neg()
        } else {
            quotient
        }
    }

    /// Has the sign of the dividend; remainder by zero is the dividend.
    pub fn srem(&self, other: &Bits) -> Bits {
        let rest = self.magnitude().urem(&other.magnitude());
        if self.sign() { rest.neg() } else { rest }
    }

    /// How far a shift by this value goes in a vector of this width: at most the width.
    fn distance(&self) -> u32 {
        let width = u64::from(self.width);
        self.to_u64().map_or(width, |by| by.min(width)) as u32
    }

    /// Shift to the left by a number of bits, which may be the width or more.
    pub fn shl_by(&self, by: u32) -> Bits {
        if by >= self.width {
            return Bits::zero(self.width);
        }
        if self.narrow() {
            return Bits::new(self.width, self.low << by);
        }
        let (words, bits) = ((by / 64) as usize, by % 64);
        let mut result = Bits::zero(self.width);
        for index in words..=self.high.len() {
            let mut word = self.word(index - words) << bits;
            if bits > 0 && index > words {
                word |= self.word(index - words - 1) >> (64 - bits);
            }
            result.set_word(index, word);
        }
        result.trim();
        result
    }

    /// Logical shift to the right by a number of bits, which may be the width or more.
    pub fn lshr_by(&self, by: u32) -> Bits {
        if by >= self.width {
            return Bits::zero(self.width);
        }
        if self.narrow() {
            return Bits::new(self.width, self.low >> by);
        }
        let (words, bits) = ((by / 64) as usize, by % 64);
        let mut result = Bits::zero(self.width);
        for index in 0..=self.high.len() - words {
            let mut word = self.word(index + words) >> bits;
            if bits > 0 {
                word |= self.word(index + words + 1) << (64 - bits);
            }
            result.set_word(index, word);
        }
        result
    }

    pub fn shl(&self, by: &Bits) -> Bits {
        assert_eq!(self.width, by.width, "operands of one width");
        self.shl_by(by.distance())
    }

    pub fn lshr(&self, by: &Bits) -> Bits {
        assert_eq!(self.width, by.width, "operands of one width");
        self.lshr_by(by.distance())
    }

    pub fn ashr(&self, by: &Bits) -> Bits {
        assert_eq!(self.width, by.width, "operands of one width");
        if self.sign() {
            self.not().lshr_by(by.distance()).not()
        } else {
            self.lshr_by(by.distance())
        }
    }

    /// This value above `low`.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width + low.width;
        if width <= 64 {
            return Bits::new(width, self.low << low.width | low.low);
        }
        let high = self.zero_extend(width).shl_by(low.width);
        high.or(&low.zero_extend(width))
    }

    /// Bits `low .. low + width`.
    pub fn extract(&self, low: u32, width: u32) -> Bits {
        assert!(
            low.checked_add(width).is_some_and(|end| end <= self.width),
            "bits that are there"
        );
        let shifted = self.lshr_by(low);
        if width <= 64 {
            return Bits::new(width, shifted.low);
        }
        let words: Vec<u64> = shifted.words().collect();
        Bits::from_words(width, &words)
    }

    /// To a width that is not smaller.
    pub fn zero_extend(&self, width: u32) -> Bits {
        assert!(width >= self.width, "an extension is not narrower");
        if width <= 64 {
            return Bits::new(width, self.low);
        }
        let words: Vec<u64> = self.words().collect();
        Bits::from_words(width, &words)
    }

    /// To a width that is not smaller.
    pub fn sign_extend(&self, width: u32) -> Bits {
        if self.sign() {
            self.not().zero_extend(width).not()
        } else {
            self.zero_extend(width)
        }
    }

    pub fn ult(&self, other: &Bits) -> bool {
        assert_eq!(self.width, other.width, "operands of one width");
        for (a, b) in self.high.iter().zip(&other.high).rev() {
            if a != b {
                return a < b;
            }
        }
        self.low < other.low
    }

    pub fn ule(&self, other: &Bits) -> bool {
        !other.ult(self)
    }

    pub fn slt(&self, other: &Bits) -> bool {
        if self.sign() != other.sign() {
            return self.sign();
        }
        self.ult(other)
    }

    pub fn sle(&self, other: &Bits) -> bool {
        !other.slt(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;
    use proptest::prelude::*;

    #[test]
    fn integers_are_bytes_in_twos_complement() {
        for (width, value) in [
            (8, -1i64),
            (8, 127),
            (9, -256),
            (64, i64::MIN),
            (65, -3),
            (130, 5),
        ] {
            let bits = Bits::from_signed_bytes(width, &value.to_le_bytes());
            assert_eq!(bits.width(), width);
            assert_eq!(bits.sign(), value < 0);
            let bytes = bits.to_signed_bytes();
            let low: [u8; 8] = std::array::from_fn(|at| bytes[at]);
            assert_eq!(i64::from_le_bytes(low), value, "{width}");
        }
        assert_eq!(Bits::from_signed_bytes(16, &[0x80]), Bits::new(16, 0xff80));
        assert_eq!(Bits::from_signed_bytes(4, &[0x7f]), Bits::new(4, 0xf));
    }

    fn wide(width: u32, value: u128) -> Bits {
        Bits::from_words(width, &[value as u64, (value >> 64) as u64])
    }

    fn cut(width: u32, value: u128) -> u128 {
        if width == 128 {
            value
        } else {
            value & ((1 << width) - 1)
        }
    }

    fn sext(width: u32, value: u128) -> i128 {
        let shift = 128 - width;
        ((value << shift) as i128) >> shift
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

        #[test]
        fn agrees_with_machine_arithmetic(width in 1u32..=128, a: u128, b: u128, small in 0u128..140, by_small: bool) {
            let b = if by_small { small } else { b };
            let (a, b) = (cut(width, a), cut(width, b));
            let (x, y) = (wide(width, a), wide(width, b));
            prop_assert_eq!(x.add(&y), wide(width, a.wrapping_add(b)));
            prop_assert_eq!(x.sub(&y), wide(width, a.wrapping_sub(b)));
            prop_assert_eq!(x.mul(&y), wide(width, a.wrapping_mul(b)));
            prop_assert_eq!(x.neg(), wide(width, a.wrapping_neg()));
            prop_assert_eq!(x.not(), wide(width, !a));
            let (sa, sb) = (sext(width, a), sext(width, b));
            if let (Some(quotient), Some(rest)) = (a.checked_div(b), a.checked_rem(b)) {
                prop_assert_eq!(x.udiv(&y), wide(width, quotient));
                prop_assert_eq!(x.urem(&y), wide(width, rest));
                prop_assert_eq!(x.sdiv(&y), wide(width, sa.wrapping_div(sb) as u128));
                prop_assert_eq!(x.srem(&y), wide(width, sa.wrapping_rem(sb) as u128));
            }
            let over = b >= u128::from(width);
            prop_assert_eq!(x.shl(&y), wide(width, if over { 0 } else { a << b }));
            prop_assert_eq!(x.lshr(&y), wide(width, if over { 0 } else { a >> b }));
            prop_assert_eq!(x.ashr(&y), wide(width, (sa >> b.min(127)) as u128));
            prop_assert_eq!(x.ult(&y), a < b);
            prop_assert_eq!(x.slt(&y), sa < sb);
            prop_assert_eq!(x.ule(&y), a <= b);
            prop_assert_eq!(x.sle(&y), sa <= sb);
            prop_assert_eq!(x.sign_extend(128), wide(128, sa as u128));
            prop_assert_eq!(x.bit_length(), 128 - a.leading_zeros());
            prop_assert_eq!(x.trailing_zeros(), a.trailing_zeros().min(width));
            prop_assert_eq!(x.trailing_ones(), a.trailing_ones().min(width));
        }

        #[test]
        fn parts_make_the_whole(width in 2u32..=300, words: [u64; 5], at in 1u32..300) {
            let x = Bits::from_words(width, &words);
            let at = 1 + at % (width - 1);
            let (low, high) = (x.extract(0, at), x.extract(at, width - at));
            prop_assert_eq!(high.concat(&low), x.clone());
            prop_assert_eq!(x.lshr_by(at), high.zero_extend(width));
            prop_assert_eq!(x.shl_by(at), x.extract(0, width - at).concat(&Bits::zero(at)));
        }

        #[test]
        fn division_of_wide_values_multiplies_back(width in 65u32..=260, a: [u64; 5], b: [u64; 5], cut in 0u32..260) {
            let x = Bits::from_words(width, &a);
            let y = Bits::from_words(width, &b).lshr_by(cut % width);
            let y = if y.is_zero() { Bits::new(width, 3) } else { y };
            let (q, r) = (x.udiv(&y), x.urem(&y));
            prop_assert!(r.ult(&y));
            prop_assert_eq!(q.mul(&y).add(&r), x);
        }
    }

    #[test]
    fn division_by_zero_is_smt_libs() {
        for width in [1, 7, 64, 65, 130] {
            let zero = Bits::zero(width);
            let minus = Bits::ones(width);
            assert_eq!(minus.udiv(&zero), Bits::ones(width));
            assert_eq!(minus.urem(&zero), minus);
            assert_eq!(minus.sdiv(&zero), Bits::new(width, 1));
            assert_eq!(minus.srem(&zero), minus);
            assert_eq!(zero.sdiv(&zero), Bits::ones(width));
        }
    }
}
