//! Patterns as conditions over the inputs.

use crate::kinds::{Kind, Step};
use crate::program::{Pattern, Program, Segment};
use crate::run::Run;
use crate::value::binary::{Binary, Byte};
use crate::value::closure::{Environment, Variable};
use crate::value::{Key, Symbol, Value};
use elsewise_explore::ApproximationKind;
use elsewise_term::{Op, TermId};
use std::sync::Arc;

/// Variables as a clause sees them: those of its function, and those that its patterns bind.
pub struct Scope<'e> {
    pub program: &'e Program,
    pub environment: &'e Environment,
    pub bound: Vec<(Variable, Value)>,
}

impl Scope<'_> {
    pub fn get(&self, variable: Variable) -> Value {
        let bound = self.bound.iter().rev().find(|(name, _)| *name == variable);
        match bound {
            Some((_, value)) => value.clone(),
            None => self.environment.get(variable),
        }
    }
}

impl Run<'_> {
    /// The condition under which a value matches; variables of the pattern are bound to its parts.
    pub fn matches(
        &mut self,
        site: u32,
        pattern: &Pattern,
        value: &Value,
        scope: &mut Scope<'_>,
    ) -> TermId {
        let value = self.resolved(value);
        match pattern {
            Pattern::Variable(variable) => {
                scope.bound.push((*variable, value));
                self.terms.bool(true)
            }
            Pattern::Alias(variable, inner) => {
                let holds = self.matches(site, inner, &value, scope);
                scope.bound.push((*variable, value));
                holds
            }
            _ if matches!(value, Value::Symbol(Symbol::Unknown)) => {
                self.bind_unknown(pattern, scope);
                self.approximate(ApproximationKind::UnknownValue, site);
                self.terms.bool(true)
            }
            Pattern::Literal(literal) => self.equal(site, &value, literal, true),
            Pattern::Cons(head, tail) => {
                let is = self.is_kind(&value, Kind::Cons);
                if self.settled(is) == Some(false) {
                    return self.terms.bool(false);
                }
                let pair = match &value {
                    Value::Symbol(Symbol::Input(node)) => self.as_kind(*node, Kind::Cons),
                    other => other.clone(),
                };
                let Value::Cons(pair) = &pair else {
                    return self.terms.bool(false);
                };
                let first = self.matches(site, head, &pair.head, scope);
                if self.terms.as_bool(first) == Some(false) {
                    return first;
                }
                let rest = self.matches(site, tail, &pair.tail, scope);
                let both = self.terms.and(first, rest);
                self.terms.and(is, both)
            }
            Pattern::Tuple(patterns) => {
                let (mut all, parts) = match &value {
                    Value::Tuple(tuple) if tuple.elements.len() == patterns.len() => {
                        (self.terms.bool(true), tuple.elements.clone())
                    }
                    Value::Symbol(Symbol::Input(node)) => {
                        let is = self.is_tuple_of(*node, patterns.len());
                        if self.settled(is) == Some(false) {
                            return self.terms.bool(false);
                        }
                        let parts = (0..patterns.len() as u32)
                            .map(|at| self.inputs.part(self.terms, *node, Step::Element(at)))
                            .collect();
                        (is, parts)
                    }
                    _ => return self.terms.bool(false),
                };
                for (pattern, part) in patterns.iter().zip(&parts) {
                    let holds = self.matches(site, pattern, part, scope);
                    all = self.terms.and(all, holds);
                    if self.terms.as_bool(all) == Some(false) {
                        return all;
                    }
                }
                all
            }
            Pattern::Map(pairs) => {
                let mut all = self.is_kind(&value, Kind::Map);
                if self.settled(all) == Some(false) {
                    return self.terms.bool(false);
                }
                let map = match &value {
                    Value::Symbol(Symbol::Input(node)) => self.as_kind(*node, Kind::Map),
                    other => other.clone(),
                };
                let Value::Map(map) = &map else {
                    return self.terms.bool(false);
                };
                for (key, pattern) in pairs {
                    let key = self.plain(key, scope);
                    let key = Key(self.settle(site, &key));
                    let (has, entry) = self.entry(map, &key);
                    all = self.terms.and(all, has);
                    let Some(entry) = entry else {
                        return self.terms.bool(false);
                    };
                    let holds = self.matches(site, pattern, &entry, scope);
                    all = self.terms.and(all, holds);
                    if self.terms.as_bool(all) == Some(false) {
                        return all;
                    }
                }
                all
            }
            Pattern::Binary(segments) => {
                let is = self.is_kind(&value, Kind::Binary);
                if self.settled(is) == Some(false) {
                    return self.terms.bool(false);
                }
                let binary = match &value {
                    Value::Symbol(Symbol::Input(node)) => self.as_kind(*node, Kind::Binary),
                    other => other.clone(),
                };
                let Value::Binary(binary) = &binary else {
                    return self.terms.bool(false);
                };
                let holds = self.segments(site, segments, binary, scope);
                self.terms.and(is, holds)
            }
        }
    }

    fn bind_unknown(&mut self, pattern: &Pattern, scope: &mut Scope<'_>) {
        match pattern {
            Pattern::Variable(variable) => scope.bound.push((*variable, Value::unknown())),
            Pattern::Alias(variable, inner) => {
                scope.bound.push((*variable, Value::unknown()));
                self.bind_unknown(inner, scope);
            }
            Pattern::Literal(_) => {}
            Pattern::Cons(head, tail) => {
                self.bind_unknown(head, scope);
                self.bind_unknown(tail, scope);
            }
            Pattern::Tuple(all) => all.iter().for_each(|one| self.bind_unknown(one, scope)),
            Pattern::Map(all) => all
                .iter()
                .for_each(|(_, one)| self.bind_unknown(one, scope)),
            Pattern::Binary(all) => {
                all.iter()
                    .for_each(|one| self.bind_unknown(&one.value, scope));
            }
        }
    }

    fn segments(
        &mut self,
        site: u32,
        segments: &[Segment<Pattern>],
        binary: &Binary,
        scope: &mut Scope<'_>,
    ) -> TermId {
        let mut all = self.terms.bool(true);
        let mut at = 0;
        let mut open = false;
        let width = self.inputs.length_bits();
        let length = self.length(binary);
        for segment in segments {
            let size = self.plain(&segment.size, scope);
            if size.is_atom("all") {
                open = true;
                let unit = self.terms.bits(width, segment.unit.into());
                let from = self.terms.bits(width, at as u64);
                let enough = self.terms.compare(Op::BvUle, from, length);
                let left = self.terms.bv(Op::BvSub, &[length, from]);
                let rest = self.terms.bv(Op::BvURem, &[left, unit]);
                let none = self.terms.bits(width, 0);
                let whole = self.terms.eq(rest, none);
                let fits = self.terms.and(enough, whole);
                all = self.terms.and(all, fits);
                let part = match binary {
                    Binary::Rest { node, from } => Binary::Rest {
                        node: *node,
                        from: from + at,
                    },
                    known => {
                        let len = known.len().unwrap_or(0);
                        known.part(at.min(len), len.saturating_sub(at))
                    }
                };
                let holds = self.matches(site, &segment.value, &Value::Binary(part), scope);
                all = self.terms.and(all, holds);
                continue;
            }
            let bits = match &*segment.kind {
                "utf8" => 8 * self.utf8_length(site, binary, at),
                "utf16" | "utf32" => {
                    self.approximate(ApproximationKind::OpaqueOperation, site);
                    return self.terms.bool(false);
                }
                _ => {
                    let size = self.settle(site, &size);
                    match size.as_usize() {
                        Some(size) => size.saturating_mul(segment.unit as usize),
                        None => return self.terms.bool(false),
                    }
                }
            };
            let until = at.saturating_add(bits);
            if until > 0xffff {
                // No input is that long; a known one may be.
                match binary.len() {
                    Some(len) if until <= len => {}
                    _ => return self.terms.bool(false),
                }
            }
            let enough = match binary.len() {
                Some(len) => self.terms.bool(until <= len),
                None => {
                    let until = self.terms.bits(width, until as u64);
                    self.terms.compare(Op::BvUle, until, length)
                }
            };
            all = self.terms.and(all, enough);
            if self.settled(enough) == Some(false) {
                return self.terms.bool(false);
            }
            let (holds, value) = self.segment(site, segment, binary, at, bits);
            all = self.terms.and(all, holds);
            let holds = self.matches(site, &segment.value, &value, scope);
            all = self.terms.and(all, holds);
            if self.terms.as_bool(all) == Some(false) {
                return all;
            }
            at = until;
        }
        if !open {
            let done = match binary.len() {
                Some(len) => self.terms.bool(at == len),
                None => {
                    let at = self.terms.bits(width, at as u64);
                    self.terms.eq(length, at)
                }
            };
            all = self.terms.and(all, done);
        }
        all
    }

    /// What a segment of a pattern is bound to, and what must hold beside its length.
    fn segment(
        &mut self,
        site: u32,
        segment: &Segment<Pattern>,
        binary: &Binary,
        at: usize,
        bits: usize,
    ) -> (TermId, Value) {
        let always = self.terms.bool(true);
        match &*segment.kind {
            "binary" => {
                let part = match binary {
                    Binary::Rest { node, from } => {
                        let bytes = (from + at + bits).div_ceil(8);
                        let data: Vec<Byte> = (0..bytes)
                            .map(|index| {
                                Byte::Term(self.inputs.byte(self.terms, *node, index as u32))
                            })
                            .collect();
                        Binary::Mixed {
                            data: Arc::from(data),
                            from: from + at,
                            len: bits,
                        }
                    }
                    known => known.part(at, bits),
                };
                (always, Value::Binary(part))
            }
            "float" => {
                let Some(term) = self.bits_of(binary, at, bits) else {
                    return (self.terms.bool(false), Value::unknown());
                };
                let term = self.in_order(term, segment.little);
                if bits != 64 {
                    if bits == 32 {
                        let wide = self.terms.float(Op::FToF, &[term], 64);
                        let finite = self.finite(wide);
                        return (finite, self.float_value(wide));
                    }
                    self.approximate(ApproximationKind::OpaqueOperation, site);
                    return (always, Value::unknown());
                }
                let finite = self.finite(term);
                (finite, self.float_value(term))
            }
            "utf8" => self.utf8(binary, at, bits / 8),
            _ => {
                if bits == 0 {
                    return (always, Value::Int(0));
                }
                let Some(term) = self.bits_of(binary, at, bits) else {
                    return (self.terms.bool(false), Value::unknown());
                };
                let term = self.in_order(term, segment.little);
                let term = match segment.signed {
                    true => term,
                    false => self.terms.zero_extend(term, bits as u32 + 1),
                };
                (always, self.int_value(term))
            }
        }
    }

    /// Bytes the other way round, where there are whole ones.
    fn in_order(&mut self, term: TermId, little: bool) -> TermId {
        let width = self.terms.width(term);
        if !little || width <= 8 {
            return term;
        }
        let mut whole: Option<TermId> = None;
        let mut high = width;
        while high > 0 {
            let part = high.min(8);
            let byte = self.terms.extract(term, high - part, part);
            whole = Some(match whole {
                Some(below) => self.terms.concat(byte, below),
                None => byte,
            });
            high -= part;
        }
        // An odd number of bits: the last, shorter piece stands highest.
        whole.unwrap_or(term)
    }

    /// How many bytes the character has that stands there now.
    fn utf8_length(&mut self, site: u32, binary: &Binary, at: usize) -> usize {
        let now = self.concrete_binary(binary);
        let len = now.len().unwrap_or(0);
        let first = match at + 8 <= len {
            true => now.part(at, 8).packed().0[0],
            false => 0,
        };
        if binary.is_symbolic() {
            self.approximate(ApproximationKind::OpaqueOperation, site);
        }
        match first {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        }
    }

    fn utf8(&mut self, binary: &Binary, at: usize, bytes: usize) -> (TermId, Value) {
        let mut parts = Vec::new();
        for index in 0..bytes {
            match self.bits_of(binary, at + 8 * index, 8) {
                Some(part) => parts.push(part),
                None => return (self.terms.bool(false), Value::unknown()),
            }
        }
        let within = |run: &mut Run<'_>, byte: TermId, low: u64, high: u64| {
            let (low, high) = (run.terms.bits(8, low), run.terms.bits(8, high));
            let above = run.terms.compare(Op::BvUle, low, byte);
            let below = run.terms.compare(Op::BvUle, byte, high);
            run.terms.and(above, below)
        };
        let (low, high) = match bytes {
            1 => (0, 0x7f),
            2 => (0xc2, 0xdf),
            3 => (0xe0, 0xef),
            _ => (0xf0, 0xf4),
        };
        let mut holds = within(self, parts[0], low, high);
        let lead = match bytes {
            1 => 7,
            2 => 5,
            3 => 4,
            _ => 3,
        };
        let mut code = self.terms.extract(parts[0], 0, lead);
        for part in &parts[1..] {
            let next = within(self, *part, 0x80, 0xbf);
            holds = self.terms.and(holds, next);
            let low = self.terms.extract(*part, 0, 6);
            code = self.terms.concat(code, low);
        }
        let code = self.terms.zero_extend(code, 24);
        let limits: &[(u64, u64)] = match bytes {
            3 => &[(0x800, 0xd7ff), (0xe000, 0xffff)],
            4 => &[(0x10000, 0x10ffff)],
            _ => &[],
        };
        if !limits.is_empty() {
            let mut any = self.terms.bool(false);
            for (low, high) in limits {
                let (low, high) = (self.terms.bits(24, *low), self.terms.bits(24, *high));
                let above = self.terms.compare(Op::BvUle, low, code);
                let below = self.terms.compare(Op::BvUle, code, high);
                let both = self.terms.and(above, below);
                any = self.terms.or(any, both);
            }
            holds = self.terms.and(holds, any);
        }
        (holds, self.int_value(code))
    }
}

#[cfg(test)]
mod tests;
