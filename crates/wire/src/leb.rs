//! Numbers as LEB128, strings and lists with their length before them: how the pass writes what it knows
//! of an object file. Reading never trusts a length.

use std::fmt;

/// Why a map cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadMap(pub &'static str);

impl fmt::Display for BadMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "damaged program map: {}", self.0)
    }
}

impl std::error::Error for BadMap {}

#[derive(Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    pub fn int(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// An index that may not be there.
    pub fn optional(&mut self, index: Option<u32>) {
        self.int(index.map_or(0, |index| u64::from(index) + 1));
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.int(bytes.len() as u64);
        self.0.extend(bytes);
    }

    /// A number that is mostly small, above or below zero.
    pub fn signed(&mut self, value: i64) {
        self.int(((value << 1) ^ (value >> 63)) as u64);
    }

    pub fn list<T>(&mut self, elements: &[T], mut element: impl FnMut(&mut Self, &T)) {
        self.int(elements.len() as u64);
        for one in elements {
            element(self, one);
        }
    }

    /// What `write` has written behind a magic number and its length.
    pub fn framed(magic: u32, write: impl FnOnce(&mut Writer)) -> Vec<u8> {
        let mut w = Writer::default();
        write(&mut w);
        let mut out = magic.to_le_bytes().to_vec();
        out.extend((w.0.len() as u32).to_le_bytes());
        out.extend(w.0);
        out
    }
}

pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn int(&mut self) -> Result<u64, BadMap> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let (first, rest) = self.0.split_first().ok_or(BadMap("cut short"))?;
            self.0 = rest;
            value |= u64::from(first & 0x7f) << shift;
            if first & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(BadMap("a number without end"))
    }

    pub fn small(&mut self) -> Result<u32, BadMap> {
        u32::try_from(self.int()?).map_err(|_| BadMap("a number out of range"))
    }

    pub fn signed(&mut self) -> Result<i64, BadMap> {
        let value = self.int()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    pub fn optional(&mut self) -> Result<Option<u32>, BadMap> {
        Ok(self.small()?.checked_sub(1))
    }

    pub fn text(&mut self) -> Result<String, BadMap> {
        Ok(String::from_utf8_lossy(self.bytes()?).into_owned())
    }

    pub fn bytes(&mut self) -> Result<&'a [u8], BadMap> {
        let length = usize::try_from(self.int()?).map_err(|_| BadMap("cut short"))?;
        if length > self.0.len() {
            return Err(BadMap("cut short"));
        }
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        Ok(bytes)
    }

    /// What stands behind each magic number in a section, in order. Zero bytes between (alignment) are
    /// passed over.
    pub fn frames(mut section: &'a [u8], magic: u32) -> Result<Vec<&'a [u8]>, BadMap> {
        let mut frames = Vec::new();
        loop {
            let padding = section.iter().take_while(|byte| **byte == 0).count();
            section = &section[padding..];
            if section.is_empty() {
                return Ok(frames);
            }
            let head = section.get(..8).ok_or(BadMap("cut short"))?;
            if head[..4] != magic.to_le_bytes() {
                return Err(BadMap("no map where one should begin"));
            }
            let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
            frames.push(section.get(8..8 + length).ok_or(BadMap("cut short"))?);
            section = &section[8 + length..];
        }
    }

    pub fn list<T>(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<T, BadMap>,
    ) -> Result<Vec<T>, BadMap> {
        let count = self.int()?;
        if count > self.0.len() as u64 {
            return Err(BadMap("cut short"));
        }
        (0..count).map(|_| element(self)).collect()
    }
}
