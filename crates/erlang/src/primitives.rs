//! Built-in functions that the engine knows by heart: arithmetic, comparisons, tests, and access to
//! parts.

use crate::kinds::{Kind, Step};
use crate::number::Number;
use crate::run::Run;
use crate::value::binary::Binary;
use crate::value::{Symbol, Value};
use elsewise_explore::ApproximationKind;
use elsewise_term::{Op, TermId};

/// Where a function is called: what it needs is a choice in a body, a condition in a guard.
pub enum Mode {
    Body,
    Guard(TermId),
}

/// The reason of an error.
pub type Raised = Value;
pub type Outcome = Result<Value, Raised>;

pub fn badarg() -> Outcome {
    Err(Value::atom("badarg"))
}

pub fn badarith() -> Outcome {
    Err(Value::atom("badarith"))
}

impl Run<'_> {
    /// The result; none if the function is not known here.
    pub fn primitive(
        &mut self,
        site: u32,
        module: &str,
        function: &str,
        arguments: &[Value],
        mode: &mut Mode,
    ) -> Option<Outcome> {
        self.here = site;
        let unknown = |value: &Value| matches!(value, Value::Symbol(Symbol::Unknown));
        if arguments.iter().any(unknown) {
            self.approximate(ApproximationKind::UnknownValue, site);
            return Some(Ok(Value::unknown()));
        }
        let arguments: Vec<Value> = arguments.iter().map(|one| self.resolved(one)).collect();
        if module == "maps" {
            return self.of_maps(site, function, &arguments, mode);
        }
        if module != "erlang" {
            return None;
        }
        let outcome = match (function, arguments.as_slice()) {
            (
                "+" | "-" | "*" | "/" | "div" | "rem" | "band" | "bor" | "bxor" | "bsl" | "bsr",
                [a, b],
            ) => self.arithmetic(site, function, a, b, mode),
            ("-", [a]) => match self.numeric(site, a, mode) {
                Some(Number::Int(a)) => {
                    let a = self.int_value(a);
                    self.arithmetic(site, "-", &Value::Int(0), &a, mode)
                }
                Some(Number::Float(a)) => {
                    // Of zero, too: the sign alone.
                    let sign = self.terms.bits(64, 1 << 63);
                    let result = self.terms.bv(Op::BvXor, &[a, sign]);
                    Ok(self.float_value(result))
                }
                None => badarith(),
            },
            ("+", [a]) => match self.numeric(site, a, mode) {
                Some(_) => Ok(self.resolved(a)),
                None => badarith(),
            },
            ("bnot", [a]) => match self.integer(site, a, mode) {
                Some(a) => {
                    let not = self.terms.bv(Op::BvNot, &[a]);
                    Ok(self.int_value(not))
                }
                None => badarith(),
            },
            ("abs", [a]) => match self.numeric(site, a, mode) {
                Some(Number::Int(a)) => {
                    let width = self.terms.width(a) + 1;
                    let wide = self.terms.sign_extend(a, width);
                    let zero = self.terms.bits(width, 0);
                    let negative = self.terms.compare(Op::BvSlt, wide, zero);
                    let minus = self.terms.bv(Op::BvNeg, &[wide]);
                    let result = self.terms.ite(negative, minus, wide);
                    Ok(self.int_value(result))
                }
                Some(Number::Float(a)) => {
                    let mask = self.terms.bits(64, u64::MAX >> 1);
                    let result = self.terms.bv(Op::BvAnd, &[a, mask]);
                    Ok(self.float_value(result))
                }
                None => badarg(),
            },
            ("float", [a]) => match self.numeric(site, a, mode) {
                Some(number) => {
                    let float = self.as_float(number);
                    let finite = self.finite(float);
                    match !self.is_far(number) || self.need(site, finite, mode) {
                        true => Ok(self.float_value(float)),
                        false => badarg(),
                    }
                }
                None => badarg(),
            },
            ("trunc" | "round" | "floor" | "ceil", [a]) => self.rounded(site, function, a, mode),
            ("=:=", [a, b]) => self.truth(a, b, |run, a, b| run.equal(site, a, b, true)),
            ("=/=", [a, b]) => self.untruth(a, b, |run, a, b| run.equal(site, a, b, true)),
            ("==", [a, b]) => self.truth(a, b, |run, a, b| run.equal(site, a, b, false)),
            ("/=", [a, b]) => self.untruth(a, b, |run, a, b| run.equal(site, a, b, false)),
            ("<", [a, b]) => self.truth(a, b, |run, a, b| run.less(site, a, b, false)),
            (">", [a, b]) => self.truth(b, a, |run, a, b| run.less(site, a, b, false)),
            ("=<", [a, b]) => self.truth(a, b, |run, a, b| run.less(site, a, b, true)),
            (">=", [a, b]) => self.truth(b, a, |run, a, b| run.less(site, a, b, true)),
            ("min" | "max", [a, b]) => {
                let less = match function {
                    "min" => self.less(site, a, b, true),
                    _ => self.less(site, b, a, true),
                };
                Ok(match self.branch(site, less) {
                    true => a.clone(),
                    false => b.clone(),
                })
            }
            ("and" | "or" | "xor", [a, b]) => {
                let (Some(x), Some(y)) = (self.boolean(site, a, mode), self.boolean(site, b, mode))
                else {
                    return Some(badarg());
                };
                let result = match function {
                    "and" => self.terms.and(x, y),
                    "or" => self.terms.or(x, y),
                    _ => self.terms.xor(x, y),
                };
                Ok(self.truth_value(result))
            }
            ("not", [a]) => match self.boolean(site, a, mode) {
                Some(a) => {
                    let not = self.terms.not(a);
                    Ok(self.truth_value(not))
                }
                None => badarg(),
            },
            ("is_integer", [a]) => self.test(a, &[Kind::Int]),
            ("is_float", [a]) => self.test(a, &[Kind::Float]),
            ("is_number", [a]) => self.test(a, &[Kind::Int, Kind::Float]),
            ("is_atom", [a]) => self.test(a, &[Kind::Atom]),
            ("is_list", [a]) => self.test(a, &[Kind::Nil, Kind::Cons]),
            ("is_tuple", [a]) => self.test(a, &[Kind::Tuple]),
            ("is_map", [a]) => self.test(a, &[Kind::Map]),
            ("is_bitstring", [a]) => self.test(a, &[Kind::Binary]),
            ("is_binary", [a]) => {
                let is = self.is_kind(a, Kind::Binary);
                let binary = match a {
                    Value::Symbol(Symbol::Input(node)) if self.settled(is) != Some(false) => {
                        Some(Binary::Rest {
                            node: *node,
                            from: 0,
                        })
                    }
                    Value::Binary(binary) => Some(binary.clone()),
                    _ => None,
                };
                let holds = match binary {
                    Some(binary) => {
                        let whole = self.is_whole(&binary);
                        self.terms.and(is, whole)
                    }
                    None => self.terms.bool(false),
                };
                Ok(self.truth_value(holds))
            }
            ("is_boolean", [a]) => {
                let yes = self.equal(site, a, &Value::atom("true"), true);
                let no = self.equal(site, a, &Value::atom("false"), true);
                let either = self.terms.or(yes, no);
                Ok(self.truth_value(either))
            }
            ("is_function", [a]) => match a {
                Value::Foreign(term) => Ok(Value::truth(matches!(
                    **term,
                    eetf::Term::ExternalFun(_) | eetf::Term::InternalFun(_)
                ))),
                _ => self.test(a, &[Kind::Fun]),
            },
            ("is_function", [a, arity]) => return self.is_function(site, a, arity),
            ("is_pid" | "is_port" | "is_reference", [a]) => Ok(Value::truth(match a {
                Value::Foreign(term) => match &**term {
                    eetf::Term::Pid(_) => function == "is_pid",
                    eetf::Term::Port(_) => function == "is_port",
                    eetf::Term::Reference(_) => function == "is_reference",
                    _ => false,
                },
                _ => false,
            })),
            ("is_record", [a, tag, rest @ ..]) => {
                let (Value::Atom(_), size) = (tag, rest.first()) else {
                    return Some(badarg());
                };
                self.is_record(site, a, tag, size)
            }
            ("is_map_key", [key, map]) => return Some(self.map_has(site, key, map, mode)),
            ("map_get", [key, map]) => return Some(self.map_get(site, key, map, mode)),
            ("map_size", [map]) => match self.map_of(site, map, mode) {
                Some(map) => {
                    let size = self.map_size(site, &map);
                    Ok(self.int_value(size))
                }
                None => Err(Value::tuple(vec![Value::atom("badmap"), map.clone()])),
            },
            ("hd" | "tl", [a]) => match self.pair(site, a, mode) {
                Some((head, tail)) => Ok(if function == "hd" { head } else { tail }),
                None => badarg(),
            },
            ("tuple_size", [a]) => match a {
                Value::Tuple(tuple) => Ok(Value::Int(tuple.elements.len() as i64)),
                Value::Symbol(Symbol::Input(node)) => {
                    let is = self.inputs.is(self.terms, *node, Kind::Tuple);
                    match self.need(site, is, mode) {
                        true => {
                            let size = self.inputs.size(self.terms, *node);
                            let size = self.terms.zero_extend(size, 9);
                            Ok(self.int_value(size))
                        }
                        false => badarg(),
                    }
                }
                _ => badarg(),
            },
            ("make_tuple", [size, value]) => match self.settle(site, size).as_usize() {
                Some(size) if size < 1 << 16 => Ok(Value::tuple(vec![value.clone(); size])),
                _ => badarg(),
            },
            ("element", [index, tuple]) => self.element(site, index, tuple, mode),
            ("setelement", [index, tuple, value]) => {
                let index = self.settle(site, index);
                let tuple = self.known_tuple(site, tuple, mode);
                match (index.as_usize(), tuple) {
                    (Some(index), Some(mut elements)) if (1..=elements.len()).contains(&index) => {
                        elements[index - 1] = value.clone();
                        Ok(Value::tuple(elements))
                    }
                    _ => badarg(),
                }
            }
            ("byte_size" | "bit_size" | "size", [a]) => {
                return Some(self.size_of(site, function, a, mode));
            }
            ("length", [a]) => self.list_length(site, a),
            ("binary_part", [binary, from, len]) => self.binary_part(site, binary, from, len, mode),
            ("binary_part", [binary, pair]) => match pair.as_tuple() {
                Some([from, len]) => {
                    let (from, len) = (from.clone(), len.clone());
                    self.binary_part(site, binary, &from, &len, mode)
                }
                _ => badarg(),
            },
            _ => return None,
        };
        Some(outcome)
    }

    /// What a function needs of its arguments: in a body a choice, in a guard a condition.
    pub(crate) fn need(&mut self, site: u32, condition: TermId, mode: &mut Mode) -> bool {
        match mode {
            Mode::Body => self.branch(site, condition),
            Mode::Guard(ok) => {
                *ok = self.terms.and(*ok, condition);
                self.settled(condition) != Some(false)
            }
        }
    }

    pub(crate) fn truth(
        &mut self,
        a: &Value,
        b: &Value,
        of: impl FnOnce(&mut Self, &Value, &Value) -> TermId,
    ) -> Outcome {
        let term = of(self, a, b);
        Ok(self.truth_value(term))
    }

    pub(crate) fn untruth(
        &mut self,
        a: &Value,
        b: &Value,
        of: impl FnOnce(&mut Self, &Value, &Value) -> TermId,
    ) -> Outcome {
        let term = of(self, a, b);
        let not = self.terms.not(term);
        Ok(self.truth_value(not))
    }

    pub(crate) fn test(&mut self, value: &Value, kinds: &[Kind]) -> Outcome {
        let mut any = self.terms.bool(false);
        for kind in kinds {
            let is = self.is_kind(value, *kind);
            any = self.terms.or(any, is);
        }
        Ok(self.truth_value(any))
    }

    /// A number, of a kind that is settled from here on.
    pub(crate) fn numeric(&mut self, site: u32, value: &Value, mode: &mut Mode) -> Option<Number> {
        let value = match (value, &mode) {
            (Value::Symbol(Symbol::Input(node)), Mode::Body) => {
                let is_int = self.inputs.is(self.terms, *node, Kind::Int);
                let is_number = self.inputs.is_number(self.terms, *node);
                if !self.branch(site, is_number) {
                    return None;
                }
                match self.form(site, is_int) {
                    true => self.as_kind(*node, Kind::Int),
                    false => self.as_kind(*node, Kind::Float),
                }
            }
            (Value::Symbol(Symbol::Input(node)), Mode::Guard(_)) => {
                let is_int = self.inputs.is(self.terms, *node, Kind::Int);
                let is_float = self.inputs.is(self.terms, *node, Kind::Float);
                let now = self.holds(is_float);
                let (kind, is, other) = match now {
                    true => (Kind::Float, is_float, is_int),
                    false => (Kind::Int, is_int, is_float),
                };
                if self.settled(other) != Some(false) {
                    self.approximate(ApproximationKind::OpaqueOperation, site);
                }
                if !self.need(site, is, mode) {
                    return None;
                }
                self.as_kind(*node, kind)
            }
            _ => value.clone(),
        };
        self.number(&value)
    }

    pub(crate) fn integer(&mut self, site: u32, value: &Value, mode: &mut Mode) -> Option<TermId> {
        let value = match value {
            Value::Symbol(Symbol::Input(node)) => {
                let is = self.inputs.is(self.terms, *node, Kind::Int);
                match self.need(site, is, mode) {
                    true => self.as_kind(*node, Kind::Int),
                    false => return None,
                }
            }
            other => other.clone(),
        };
        match self.number(&value) {
            Some(Number::Int(term)) => Some(term),
            _ => None,
        }
    }

    pub fn boolean(&mut self, site: u32, value: &Value, mode: &mut Mode) -> Option<TermId> {
        match value {
            Value::Symbol(Symbol::Truth(term)) => Some(*term),
            Value::Atom(name) if &**name == "true" => Some(self.terms.bool(true)),
            Value::Atom(name) if &**name == "false" => Some(self.terms.bool(false)),
            Value::Symbol(Symbol::Input(_)) => {
                let yes = self.equal(site, value, &Value::atom("true"), true);
                let no = self.equal(site, value, &Value::atom("false"), true);
                let either = self.terms.or(yes, no);
                self.need(site, either, mode).then_some(yes)
            }
            _ => None,
        }
    }

    pub(crate) fn is_function(&mut self, site: u32, a: &Value, arity: &Value) -> Option<Outcome> {
        let arity = self.settle(site, arity);
        let Some(arity) = arity.as_usize() else {
            return Some(badarg());
        };
        Some(match a {
            Value::Symbol(Symbol::Input(node)) => {
                let is = self.inputs.is(self.terms, *node, Kind::Fun);
                if self.settled(is) == Some(false) || arity > 255 {
                    return Some(Ok(Value::truth(false)));
                }
                let have = self.inputs.arity(self.terms, *node);
                let want = self.terms.bits(8, arity as u64);
                let same = self.terms.eq(have, want);
                let both = self.terms.and(is, same);
                Ok(self.truth_value(both))
            }
            Value::Closure(closure) => Ok(Value::truth(closure.arity == arity)),
            Value::Foreign(term) => match &**term {
                eetf::Term::ExternalFun(fun) => Ok(Value::truth(usize::from(fun.arity) == arity)),
                eetf::Term::InternalFun(_) => return None,
                _ => Ok(Value::truth(false)),
            },
            _ => Ok(Value::truth(false)),
        })
    }

    pub(crate) fn is_record(
        &mut self,
        site: u32,
        a: &Value,
        tag: &Value,
        size: Option<&Value>,
    ) -> Outcome {
        let size = size.and_then(Value::as_usize);
        Ok(match a {
            Value::Tuple(tuple) => {
                let fits = size.is_none_or(|size| size == tuple.elements.len());
                match tuple.elements.first() {
                    Some(first) if fits => {
                        let same = self.equal(site, first, tag, true);
                        self.truth_value(same)
                    }
                    _ => Value::truth(false),
                }
            }
            Value::Symbol(Symbol::Input(node)) => {
                let is = match size {
                    Some(size) => self.is_tuple_of(*node, size),
                    None => {
                        let is = self.inputs.is(self.terms, *node, Kind::Tuple);
                        let empty = self.is_tuple_of(*node, 0);
                        let filled = self.terms.not(empty);
                        self.terms.and(is, filled)
                    }
                };
                if self.settled(is) == Some(false) {
                    return Ok(Value::truth(false));
                }
                let first = self.inputs.part(self.terms, *node, Step::Element(0));
                let same = self.equal(site, &first, tag, true);
                let both = self.terms.and(is, same);
                self.truth_value(both)
            }
            _ => Value::truth(false),
        })
    }

    pub(crate) fn pair(
        &mut self,
        site: u32,
        value: &Value,
        mode: &mut Mode,
    ) -> Option<(Value, Value)> {
        let value = match value {
            Value::Symbol(Symbol::Input(node)) => {
                let is = self.inputs.is(self.terms, *node, Kind::Cons);
                match self.need(site, is, mode) {
                    true => self.as_kind(*node, Kind::Cons),
                    false => return None,
                }
            }
            other => other.clone(),
        };
        match value {
            Value::Cons(pair) => Some((pair.head.clone(), pair.tail.clone())),
            _ => None,
        }
    }

    pub(crate) fn known_tuple(
        &mut self,
        site: u32,
        value: &Value,
        mode: &mut Mode,
    ) -> Option<Vec<Value>> {
        match value {
            Value::Tuple(tuple) => Some(tuple.elements.clone()),
            Value::Symbol(Symbol::Input(node)) => {
                let is = self.inputs.is(self.terms, *node, Kind::Tuple);
                if !self.need(site, is, mode) {
                    return None;
                }
                let tuple = self.tuple_of(site, *node);
                tuple.as_tuple().map(<[Value]>::to_vec)
            }
            _ => None,
        }
    }

    pub(crate) fn element(
        &mut self,
        site: u32,
        index: &Value,
        tuple: &Value,
        mode: &mut Mode,
    ) -> Outcome {
        let index = self.settle(site, index);
        let Some(index) = index.as_usize().filter(|index| *index > 0) else {
            return badarg();
        };
        match tuple {
            Value::Tuple(tuple) => match tuple.elements.get(index - 1) {
                Some(element) => Ok(element.clone()),
                None => badarg(),
            },
            Value::Symbol(Symbol::Input(node)) if index < 256 => {
                let is = self.inputs.is(self.terms, *node, Kind::Tuple);
                if !self.need(site, is, mode) {
                    return badarg();
                }
                let size = self.inputs.size(self.terms, *node);
                let want = self.terms.bits(8, index as u64);
                let enough = self.terms.compare(Op::BvUle, want, size);
                match self.need(site, enough, mode) {
                    true => {
                        let step = Step::Element(index as u32 - 1);
                        Ok(self.inputs.part(self.terms, *node, step))
                    }
                    false => badarg(),
                }
            }
            _ => badarg(),
        }
    }

    /// Down the list, with a choice for each tail.
    pub(crate) fn list_length(&mut self, site: u32, value: &Value) -> Outcome {
        let mut rest = value.clone();
        let mut count = 0;
        loop {
            rest = match self.decide(site, &rest, &[Kind::Cons, Kind::Nil]) {
                Value::Cons(pair) => pair.tail.clone(),
                Value::Nil => return Ok(Value::Int(count)),
                Value::Symbol(Symbol::Unknown) => return Ok(Value::unknown()),
                _ => return badarg(),
            };
            count += 1;
        }
    }
}
