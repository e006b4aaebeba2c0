//! Patterns and guards as conditions over the inputs.

use crate::binary::{Binary, Byte};
use crate::kinds::{Kind, Step};
use crate::primitives::Mode;
use crate::program::{Environment, Expr, Pattern, Program, Segment, Variable};
use crate::run::Run;
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
    fn get(&self, variable: Variable) -> Value {
        let bound = self.bound.iter().rev().find(|(name, _)| *name == variable);
        match bound {
            Some((_, value)) => value.clone(),
            None => self.environment.get(variable),
        }
    }
}

impl Environment {
    pub fn get(&self, variable: Variable) -> Value {
        let value = self.values.get(variable as usize);
        value.cloned().unwrap_or_else(Value::unknown)
    }

    pub fn set(&mut self, variable: Variable, value: Value) {
        let place = variable as usize;
        if self.values.len() <= place {
            self.values.resize(place + 1, Value::unknown());
        }
        self.values[place] = value;
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

    pub fn finite(&mut self, float: TermId) -> TermId {
        let exponent = self.terms.extract(float, 52, 11);
        let all = self.terms.bits(11, 0x7ff);
        let same = self.terms.eq(exponent, all);
        self.terms.not(same)
    }

    pub fn int_value(&mut self, term: TermId) -> Value {
        match self.terms.as_bits(term) {
            Some(bits) => Value::integer(crate::kinds::bits_big(&bits)),
            None => Value::Symbol(Symbol::Int(term)),
        }
    }

    pub fn float_value(&mut self, term: TermId) -> Value {
        match self.terms.as_u64(term) {
            Some(bits) => Value::Float(f64::from_bits(bits)),
            None => Value::Symbol(Symbol::Float(term)),
        }
    }

    pub fn truth_value(&mut self, term: TermId) -> Value {
        match self.terms.as_bool(term) {
            Some(value) => Value::truth(value),
            None => Value::Symbol(Symbol::Truth(term)),
        }
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

    /// The value of an expression that neither calls nor decides.
    pub fn plain(&mut self, expr: &Expr, scope: &Scope<'_>) -> Value {
        match expr {
            Expr::Literal(value) => value.clone(),
            Expr::Variable(variable) => scope.get(*variable),
            Expr::Cons(head, tail) => {
                let head = self.plain(head, scope);
                Value::cons(head, self.plain(tail, scope))
            }
            Expr::Tuple(all) | Expr::Values(all) => {
                Value::tuple(all.iter().map(|one| self.plain(one, scope)).collect())
            }
            Expr::Fun(lambda) => Value::Closure(Arc::new(crate::program::Closure {
                lambda: *lambda,
                arity: scope.program.lambdas[lambda.0 as usize].parameters.len(),
                environment: scope.environment.clone(),
            })),
            _ => Value::unknown(),
        }
    }

    /// The condition under which a guard holds; an error in it is a guard that fails.
    pub fn guard(&mut self, site: u32, guard: &Expr, scope: &mut Scope<'_>) -> TermId {
        let mut ok = self.terms.bool(true);
        let value = self.guarded(site, guard, scope, &mut ok);
        let truth = self.equal(site, &value, &Value::atom("true"), true);
        self.terms.and(ok, truth)
    }

    fn guarded(&mut self, site: u32, expr: &Expr, scope: &mut Scope<'_>, ok: &mut TermId) -> Value {
        match expr {
            Expr::Let(variables, first, then) => {
                let value = self.guarded(site, first, scope, ok);
                match variables.as_slice() {
                    [one] => scope.bound.push((*one, value)),
                    several => {
                        let parts = value.as_tuple().map(<[Value]>::to_vec).unwrap_or_default();
                        scope.bound.extend(several.iter().copied().zip(parts));
                    }
                }
                self.guarded(site, then, scope, ok)
            }
            Expr::Seq(first, then) => {
                self.guarded(site, first, scope, ok);
                self.guarded(site, then, scope, ok)
            }
            Expr::Try(parts) => {
                let mut inner = self.terms.bool(true);
                let value = self.guarded(site, &parts.body, scope, &mut inner);
                if let [one] = parts.variables.as_slice() {
                    scope.bound.push((*one, value));
                }
                let value = self.guarded(site, &parts.then, scope, &mut inner);
                let mut other = self.terms.bool(true);
                let failed = self.guarded(site, &parts.handler, scope, &mut other);
                self.either(site, inner, &value, &failed)
            }
            Expr::Case(case) => {
                let arguments: Vec<Value> = case
                    .arguments
                    .iter()
                    .map(|one| self.guarded(site, one, scope, ok))
                    .collect();
                let mut reached = self.terms.bool(true);
                let mut results = Vec::new();
                for clause in &case.clauses {
                    let mut holds = reached;
                    for (pattern, value) in clause.patterns.iter().zip(&arguments) {
                        let fits = self.matches(site, pattern, value, scope);
                        holds = self.terms.and(holds, fits);
                    }
                    let guard = self.guard(site, &clause.guard, scope);
                    let holds = self.terms.and(holds, guard);
                    if self.terms.as_bool(holds) == Some(false) {
                        continue;
                    }
                    let mut inner = self.terms.bool(true);
                    let value = self.guarded(site, &clause.body, scope, &mut inner);
                    let not = self.terms.not(holds);
                    let fine = self.terms.or(not, inner);
                    *ok = self.terms.and(*ok, fine);
                    results.push((holds, value));
                    reached = self.terms.and(reached, not);
                    if self.terms.as_bool(reached) == Some(false) {
                        break;
                    }
                }
                let none = self.terms.not(reached);
                *ok = self.terms.and(*ok, none);
                let mut results = results.into_iter().rev();
                let Some((_, mut value)) = results.next() else {
                    return Value::unknown();
                };
                for (holds, other) in results {
                    value = self.either(site, holds, &other, &value);
                }
                value
            }
            Expr::Call(..) if self.terms.as_bool(*ok) == Some(false) => Value::unknown(),
            Expr::Call(_, module, function, arguments) => {
                let arguments: Vec<Value> = arguments
                    .iter()
                    .map(|one| self.guarded(site, one, scope, ok))
                    .collect();
                let (Some(module), Some(function)) = (
                    self.plain(module, scope).as_atom().map(Arc::<str>::from),
                    self.plain(function, scope).as_atom().map(Arc::<str>::from),
                ) else {
                    return Value::unknown();
                };
                if &*function == "error" {
                    *ok = self.terms.bool(false);
                    return Value::unknown();
                }
                let mut mode = Mode::Guard(*ok);
                let result = self.primitive(site, &module, &function, &arguments, &mut mode);
                if let Mode::Guard(now) = mode {
                    *ok = now;
                }
                match result {
                    Some(Ok(value)) => value,
                    Some(Err(_)) => {
                        *ok = self.terms.bool(false);
                        Value::unknown()
                    }
                    None => {
                        self.approximate(ApproximationKind::OpaqueOperation, site);
                        Value::unknown()
                    }
                }
            }
            Expr::Primop(..) => {
                *ok = self.terms.bool(false);
                Value::unknown()
            }
            _ => self.plain(expr, scope),
        }
    }

    /// One value or the other; where they are no truth values and not known apart, what it is now.
    fn either(&mut self, site: u32, condition: TermId, yes: &Value, no: &Value) -> Value {
        match self.terms.as_bool(condition) {
            Some(true) => return yes.clone(),
            Some(false) => return no.clone(),
            None => {}
        }
        let truth = |run: &mut Run<'_>, value: &Value| match value {
            Value::Symbol(Symbol::Truth(term)) => Some(*term),
            Value::Atom(name) if &**name == "true" => Some(run.terms.bool(true)),
            Value::Atom(name) if &**name == "false" => Some(run.terms.bool(false)),
            // Of no use as a guard: the clause fails.
            Value::Symbol(Symbol::Unknown) => Some(run.terms.bool(false)),
            _ => None,
        };
        if let (Some(yes), Some(no)) = (truth(self, yes), truth(self, no)) {
            let either = self.terms.ite(condition, yes, no);
            return self.truth_value(either);
        }
        self.approximate(ApproximationKind::OpaqueOperation, site);
        match self.holds(condition) {
            true => yes.clone(),
            false => no.clone(),
        }
    }
}
