//! `--fleet-quota`: what a campaign may have on a server.

use std::fmt;
use std::str::FromStr;

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota(u64);

/// Less is no use: an object of a campaign may have as much.
const LEAST: u64 = 1 << 20;
const FORM: &str = "write a size of at least 1MiB: 500MiB, 2GiB";
const UNITS: [(&str, u64); 3] = [("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)];

impl Quota {
    pub fn bytes(self) -> u64 {
        self.0
    }
}

impl FromStr for Quota {
    type Err = String;

    fn from_str(text: &str) -> Result<Quota, String> {
        let end = text.find(|char: char| !char.is_ascii_digit());
        let (digits, unit) = text.split_at(end.unwrap_or(text.len()));
        let unit = UNITS.iter().find(|(name, _)| *name == unit);
        let number: Option<u64> = digits.parse().ok();
        let bytes = unit.zip(number);
        let bytes = bytes.and_then(|((_, unit), number)| number.checked_mul(*unit));
        match bytes.filter(|bytes| *bytes >= LEAST) {
            Some(bytes) => Ok(Quota(bytes)),
            None => Err(format!("`{text}` is no such size; {FORM}")),
        }
    }
}

impl fmt::Display for Quota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let largest = UNITS.iter().rev();
        let mut fitting = largest.filter(|(_, unit)| self.0.is_multiple_of(*unit));
        match fitting.next() {
            Some((name, unit)) => write!(f, "{}{name}", self.0 / unit),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_unit() {
        let quota = |text: &str| text.parse::<Quota>();
        assert_eq!(quota("500MiB"), Ok(Quota(500 << 20)));
        assert_eq!(quota("2GiB"), Ok(Quota(2 << 30)));
        assert_eq!(quota("2GiB").unwrap().to_string(), "2GiB");
        for bad in [
            "",
            "2",
            "0GiB",
            "GiB",
            "-1GiB",
            "2 GB",
            "99999999999TiB",
            "2Gib",
        ] {
            assert!(quota(bad).is_err(), "{bad}");
        }
    }
}
