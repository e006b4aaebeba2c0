//! Numbers as people read them.

/// `12 345 678` as `12,345,678`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A duration with two or three digits that matter.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        // Clocks and stores can be wrong; the view must not be.
        s if !s.is_finite() || s < 0.0 => "?".into(),
        s if s < 0.0995 => format!("{:.0} ms", s * 1e3),
        s if s < 9.95 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{} min {:02} s", s as u64 / 60, s as u64 % 60),
        s => format!("{} h {:02} min", s as u64 / 3600, s as u64 % 3600 / 60),
    }
}

/// A size in bytes.
pub fn bytes(value: u64) -> String {
    match value {
        1 => "1 byte".into(),
        0..=9_999 => format!("{} bytes", count(value)),
        _ if value < 10 << 20 => format!("{} KiB", value >> 10),
        _ => format!("{} MiB", count(value >> 20)),
    }
}

/// `1 path`, `2 paths`.
pub fn plural(value: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(value), if value == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        let all = [0, 7, 999, 1_000, 12_345_678, u64::MAX].map(count);
        assert_eq!(
            all,
            [
                "0",
                "7",
                "999",
                "1,000",
                "12,345,678",
                "18,446,744,073,709,551,615"
            ]
        );
    }

    #[test]
    fn durations() {
        let all = [0.0, 0.05, 0.8, 12.3, 119.0, 125.0, 7300.0, f64::NAN, -1.0].map(seconds);
        assert_eq!(
            all,
            [
                "0 ms",
                "50 ms",
                "0.8 s",
                "12 s",
                "119 s",
                "2 min 05 s",
                "2 h 01 min",
                "?",
                "?"
            ]
        );
    }

    #[test]
    fn sizes() {
        let all = [0, 1, 4096, 20_000, 50 << 20].map(bytes);
        assert_eq!(
            all,
            ["0 bytes", "1 byte", "4,096 bytes", "19 KiB", "50 MiB"]
        );
    }
}
