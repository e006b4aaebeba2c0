//! Binaries that the program makes.

use crate::kinds::Kind;
use crate::primitives::{Outcome, badarg};
use crate::program::{Expr, Segment};
use crate::run::Run;
use crate::value::binary::{Binary, Byte};
use crate::value::{Symbol, Value};
use elsewise_explore::ApproximationKind;
use elsewise_term::{Op, TermId};
use std::sync::Arc;

/// A binary in the making.
#[derive(Default)]
struct Parts {
    whole: Vec<Byte>,
    /// Bits beyond the last whole byte.
    rest: Option<TermId>,
}

impl Run<'_> {
    /// `<<…>>`: for each segment its value and its size.
    pub fn construct(
        &mut self,
        site: u32,
        segments: &[Segment<Expr>],
        values: &[(Value, Value)],
    ) -> Outcome {
        let mut parts = Parts::default();
        for (segment, (value, size)) in segments.iter().zip(values) {
            let value = self.resolved(value);
            if matches!(value, Value::Symbol(Symbol::Unknown)) {
                return Ok(Value::unknown());
            }
            match &*segment.kind {
                "binary" => {
                    let value = self.decide(site, &value, &[Kind::Binary]);
                    let Value::Binary(binary) = &value else {
                        return badarg();
                    };
                    let binary = self.whole(site, binary);
                    let have = binary.len().unwrap_or(0);
                    let bits = match size.is_atom("all") {
                        true if have.is_multiple_of(segment.unit as usize) => have,
                        true => return badarg(),
                        false => match self.settle(site, size).as_usize() {
                            Some(size) => size.saturating_mul(segment.unit as usize),
                            None => return badarg(),
                        },
                    };
                    if bits > have {
                        return badarg();
                    }
                    self.append_binary(&mut parts, &binary.part(0, bits));
                }
                "integer" => {
                    let Value::Int(size) = self.settle(site, size) else {
                        return badarg();
                    };
                    let Ok(size) = u32::try_from(size) else {
                        return badarg();
                    };
                    let bits = size.saturating_mul(segment.unit);
                    let value = self.decide(site, &value, &[Kind::Int]);
                    let Some(crate::number::Number::Int(term)) = self.number(&value) else {
                        return badarg();
                    };
                    if bits == 0 {
                        continue;
                    }
                    if bits > 1 << 16 {
                        self.approximate(ApproximationKind::WideValue, site);
                        return Ok(Value::unknown());
                    }
                    let width = self.terms.width(term);
                    let term = match width >= bits {
                        true => self.terms.extract(term, 0, bits),
                        false => self.terms.sign_extend(term, bits),
                    };
                    let term = self.swapped(term, segment.little);
                    self.append(&mut parts, term);
                }
                "float" => {
                    let bits = match self.settle(site, size).as_usize() {
                        Some(size) => size * segment.unit as usize,
                        None => return badarg(),
                    };
                    let value = self.decide(site, &value, &[Kind::Float, Kind::Int]);
                    let Some(number) = self.number(&value) else {
                        return badarg();
                    };
                    let mut term = self.as_float(number);
                    match bits {
                        64 => {}
                        32 => term = self.terms.float(Op::FToF, &[term], 32),
                        _ => {
                            self.approximate(ApproximationKind::OpaqueOperation, site);
                            return Ok(Value::unknown());
                        }
                    }
                    let term = self.swapped(term, segment.little);
                    self.append(&mut parts, term);
                }
                "utf8" => {
                    let value = self.settle(site, &value);
                    let code = match value {
                        Value::Int(code) => u32::try_from(code).ok().and_then(char::from_u32),
                        _ => None,
                    };
                    let Some(code) = code else {
                        return badarg();
                    };
                    let mut buffer = [0; 4];
                    for byte in code.encode_utf8(&mut buffer).bytes() {
                        let term = self.terms.bits(8, byte.into());
                        self.append(&mut parts, term);
                    }
                }
                _ => {
                    self.approximate(ApproximationKind::OpaqueOperation, site);
                    return Ok(Value::unknown());
                }
            }
        }
        Ok(Value::Binary(self.finished(parts)))
    }

    fn swapped(&mut self, term: TermId, little: bool) -> TermId {
        let width = self.terms.width(term);
        if !little || width <= 8 {
            return term;
        }
        // Whole bytes from below come first; what is left over stands last.
        let mut whole: Option<TermId> = None;
        let mut low = 0;
        while low < width {
            let part = (width - low).min(8);
            let byte = self.terms.extract(term, low, part);
            whole = Some(match whole {
                Some(above) => self.terms.concat(above, byte),
                None => byte,
            });
            low += part;
        }
        whole.unwrap_or(term)
    }

    fn append_binary(&mut self, parts: &mut Parts, binary: &Binary) {
        let len = binary.len().unwrap_or(0);
        if parts.rest.is_none()
            && let Binary::Known { .. } = binary
            && len.is_multiple_of(8)
        {
            let (bytes, _) = binary.packed();
            parts.whole.extend(bytes.into_iter().map(Byte::Known));
            return;
        }
        let mut at = 0;
        while at < len {
            let size = (len - at).min(8);
            if let Some(term) = binary.bits(self.terms, at, size) {
                self.append(parts, term);
            }
            at += size;
        }
    }

    fn append(&mut self, parts: &mut Parts, term: TermId) {
        let mut all = match parts.rest.take() {
            Some(rest) => self.terms.concat(rest, term),
            None => term,
        };
        loop {
            let width = self.terms.width(all);
            if width < 8 {
                parts.rest = Some(all);
                return;
            }
            let byte = self.terms.extract(all, width - 8, 8);
            parts.whole.push(match self.terms.as_u64(byte) {
                Some(value) => Byte::Known(value as u8),
                None => Byte::Term(byte),
            });
            if width == 8 {
                return;
            }
            all = self.terms.extract(all, 0, width - 8);
        }
    }

    fn finished(&mut self, parts: Parts) -> Binary {
        let mut whole = parts.whole;
        let mut len = whole.len() * 8;
        if let Some(rest) = parts.rest {
            let width = self.terms.width(rest);
            let fill = self.terms.bits(8 - width, 0);
            let byte = self.terms.concat(rest, fill);
            len += width as usize;
            whole.push(match self.terms.as_u64(byte) {
                Some(value) => Byte::Known(value as u8),
                None => Byte::Term(byte),
            });
        }
        let known: Option<Vec<u8>> = whole
            .iter()
            .map(|byte| match byte {
                Byte::Known(value) => Some(*value),
                Byte::Term(_) => None,
            })
            .collect();
        match known {
            Some(bytes) => Binary::known(bytes.into(), len),
            None => Binary::Mixed {
                data: Arc::from(whole),
                from: 0,
                len,
            },
        }
    }
}

#[cfg(test)]
mod tests;
