//! Numbers as they lie in memory.

/// An unsigned number of at most eight bytes.
pub fn number(bytes: &[u8]) -> u64 {
    let low = bytes.iter().take(8).rev();
    low.fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// A `long double` of the x87 kind, if a double can be that number.
pub fn extended(bytes: &[u8]) -> Option<f64> {
    let (fraction, rest) = bytes.split_first_chunk::<8>()?;
    let fraction = u64::from_le_bytes(*fraction);
    let head = u64::from(u16::from_le_bytes(*rest.first_chunk()?));
    let (sign, exponent) = (head >> 15 << 63, head & 0x7fff);
    let bits = match (exponent, fraction) {
        (0, 0) => 0,
        (0x7fff, 0x8000_0000_0000_0000) => f64::INFINITY.to_bits(),
        // Normal in both formats, and no bit of the fraction is lost.
        (0x3c01..=0x43fe, _) if fraction >> 63 == 1 && fraction & 0x7ff == 0 => {
            (exponent - 0x3c00) << 52 | fraction << 1 >> 12
        }
        _ => return None,
    };
    Some(f64::from_bits(sign | bits))
}

/// A number of at most 16 bytes.
pub fn integer(bytes: &[u8], signed: bool) -> i128 {
    let mut value: u128 = 0;
    for byte in bytes.iter().take(16).rev() {
        value = value << 8 | u128::from(*byte);
    }
    let bits = 8 * bytes.len().min(16) as u32;
    match signed && bits > 0 && value >> (bits - 1) & 1 == 1 {
        true => (value | u128::MAX.checked_shl(bits).unwrap_or(0)) as i128,
        false => value as i128,
    }
}

#[cfg(test)]
mod tests {
    use super::extended;

    /// As gcc lays it out: ten bytes, and six of padding.
    fn laid_out(head: u16, fraction: u64) -> Vec<u8> {
        let mut bytes = fraction.to_le_bytes().to_vec();
        bytes.extend(head.to_le_bytes());
        bytes.resize(16, 0xaa);
        bytes
    }

    #[test]
    fn long_doubles_are_doubles_where_that_loses_nothing() {
        let top = 1 << 63;
        for (head, fraction, value) in [
            (0, 0, 0.0),
            (0x8000, 0, -0.0),
            (0x3fff, top, 1.0),
            (0xbfff, top | 1 << 62, -1.5),
            (0x4000, top | 1 << 61, 2.5),
            (0x3c01, top, f64::MIN_POSITIVE),
            (0x43fe, !0x7ff, f64::MAX),
            (0x7fff, top, f64::INFINITY),
        ] {
            let read = extended(&laid_out(head, fraction));
            assert_eq!(read.map(f64::to_bits), Some(value.to_bits()), "{value}");
        }
        for (head, fraction) in [
            (0x3fff, top | 1),
            (0x3fff, 1),
            (0x3c00, top),
            (0x43ff, top),
            (0x7fff, top | 1 << 62),
        ] {
            assert_eq!(extended(&laid_out(head, fraction)), None);
        }
        assert_eq!(extended(&[0; 9]), None);
    }
}
