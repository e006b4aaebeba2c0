//! The next case: what a model says of the inputs, put into the case that it came from.

use crate::kinds::*;
use crate::types::{ANY, Type, TypeId, Types};
use crate::value::{Key, Value};
use elsewise_term::{Bits, Model, Terms};
use std::cell::Cell;
use std::sync::Arc;

/// A type that a part may be of.
#[derive(Clone, Copy)]
struct Member {
    /// Those of one group are there under one condition.
    group: u32,
    /// Whether the condition holds in the model.
    active: bool,
    of: TypeId,
}

/// The value of an argument in a case that follows from a model.
pub struct Amended<'a> {
    types: &'a Types,
    atoms: &'a Atoms,
    terms: &'a Terms,
    model: &'a Model,
    keys: Option<&'a Keys>,
    /// Parts so far that could be anything: each new one gets the next letter.
    letters: Cell<u8>,
}

impl<'a> Amended<'a> {
    pub fn new(
        types: &'a Types,
        atoms: &'a Atoms,
        terms: &'a Terms,
        model: &'a Model,
    ) -> Amended<'a> {
        Amended {
            types,
            atoms,
            terms,
            model,
            keys: None,
            letters: Cell::new(0),
        }
    }

    pub fn with_keys(self, keys: &'a Keys) -> Amended<'a> {
        Amended {
            keys: Some(keys),
            ..self
        }
    }

    /// `a`, `b`, `c` …: something of which nothing is known.
    fn letter(&self) -> Value {
        let letter = char::from(b'a' + self.letters.get().min(7));
        Value::atom(&letter.to_string())
    }

    fn get(&self, node: u64, field: Field) -> Option<&Bits> {
        let var = self.terms.var_by_key(field.key(node))?;
        self.model.get(var)
    }

    fn number(&self, node: u64, field: Field) -> Option<u64> {
        self.get(node, field).and_then(Bits::to_u64)
    }

    /// An argument; `present` is what the case has now.
    pub fn argument(&self, at: usize, of: TypeId, present: Option<&Value>) -> Value {
        let only = Member {
            group: 0,
            active: true,
            of,
        };
        self.value(root_key(at), &[only], present)
    }

    fn value(&self, key: u64, types: &[Member], present: Option<&Value>) -> Value {
        // Numbered as they were when the run looked at the part, those included that it is not.
        let mut all: Vec<Member> = Vec::new();
        for one in types {
            for of in self.types.members(one.of) {
                let same = |other: &Member| (other.group, other.of) == (one.group, of);
                if !all.iter().any(same) {
                    all.push(Member { of, ..*one });
                }
            }
        }
        if let Some(which) = self.number(key, Field::Member) {
            for (index, member) in (0..).zip(&mut all) {
                member.group = index;
                member.active &= u64::from(index) == which;
            }
        }
        let mut members: Vec<TypeId> = all
            .iter()
            .filter(|member| member.active)
            .map(|member| member.of)
            .collect();
        let anything = members.contains(&ANY) && self.number(key, Field::Kind).is_none();
        if anything {
            // Nothing was asked of it: a letter, or what it was.
            let is_letter = |value: &Value| value.as_atom().is_some_and(|name| name.len() == 1);
            match present {
                None => {
                    let letter = self.letter();
                    self.letters.set(self.letters.get() + 1);
                    return letter;
                }
                Some(value) if is_letter(value) => self.letters.set(self.letters.get() + 1),
                Some(_) => {}
            }
        }
        let fallback = || {
            let simplest = members.iter().find_map(|of| self.types.simplest(*of));
            simplest.unwrap_or_else(|| Value::atom("a"))
        };
        let wanted = match self.number(key, Field::Kind) {
            Some(kind) => KINDS[(kind as usize).min(KINDS.len() - 1)],
            // A type that leaves one kind needs no variable for it.
            None => match present {
                Some(present) if members.iter().any(|of| fits(self.types.get(*of), present)) => {
                    kind_of(present)
                }
                Some(present) if members.is_empty() => kind_of(present),
                _ => kind_of(&fallback()),
            },
        };
        let same = present.filter(|present| kind_of(present) == wanted);
        members.retain(|of| mask_of(self.types.get(*of)) >> wanted as u16 & 1 == 1);
        let simplest = || members.iter().find_map(|of| self.types.simplest(*of));
        match wanted {
            Kind::Int => match self.get(key, Field::Int) {
                Some(bits) => Value::integer(bits_big(bits)),
                None => same
                    .cloned()
                    .or_else(simplest)
                    .filter(|v| v.as_big().is_some())
                    .unwrap_or(Value::Int(0)),
            },
            Kind::Float => match self.number(key, Field::Float) {
                Some(bits) => Value::Float(f64::from_bits(bits)),
                None => same.cloned().unwrap_or(Value::Float(0.0)),
            },
            Kind::Atom => match self.number(key, Field::Atom) {
                Some(number) => Value::Atom(self.atoms.name(number as u32)),
                None => same
                    .cloned()
                    .or_else(simplest)
                    .filter(|value| value.as_atom().is_some())
                    .unwrap_or_else(|| Value::atom("a")),
            },
            Kind::Nil => Value::Nil,
            Kind::Cons => Value::cons(
                self.part(key, &all, same, Step::Head),
                self.part(key, &all, same, Step::Tail),
            ),
            Kind::Tuple => {
                let now = same.and_then(Value::as_tuple).map(<[Value]>::len);
                let typed = members.iter().find_map(|of| match self.types.get(*of) {
                    Type::Tuple(Some(all)) => Some(all.len()),
                    _ => None,
                });
                let size = self.number(key, Field::Size).map(|size| size as usize);
                let size = size.or(now).or(typed).unwrap_or(0);
                let parts =
                    (0..size as u32).map(|index| self.part(key, &all, same, Step::Element(index)));
                Value::tuple(parts.collect())
            }
            Kind::Map => self.map(key, &all, &members, same),
            Kind::Binary => self.binary(key, &members, same),
            Kind::Fun => {
                let typed = members.iter().find_map(|of| match self.types.get(*of) {
                    Type::Fun(Some((arity, _))) => Some(*arity),
                    _ => None,
                });
                let now = same
                    .and_then(Value::as_tuple)
                    .and_then(|parts| parts.get(2)?.as_usize());
                let arity = self.number(key, Field::Arity).map(|arity| arity as usize);
                let arity = arity
                    .or(now)
                    .or(typed.map(|arity| arity as usize))
                    .unwrap_or(1);
                let had = same
                    .and_then(|value| value.as_tuple()?.get(3)?.elements())
                    .map_or(0, |results| results.len() as u32);
                // As many as there are, and those that the run asked for.
                let mut count = had.max(1);
                while count < 64 && self.mentioned(&Step::Result(count), key) {
                    count += 1;
                }
                let results = (0..count)
                    .map(|index| self.part(key, &all, same, Step::Result(index)))
                    .collect();
                crate::types::made_fun(arity as u32, results)
            }
            Kind::Other => present.cloned().unwrap_or_else(|| Value::atom("a")),
        }
    }

    fn mentioned(&self, step: &Step, parent: u64) -> bool {
        let key = step.key(parent);
        [
            Field::Kind,
            Field::Int,
            Field::Float,
            Field::Atom,
            Field::Length,
            Field::Size,
        ]
        .iter()
        .any(|field| self.get(key, *field).is_some())
    }

    fn part(&self, parent: u64, all: &[Member], same: Option<&Value>, step: Step) -> Value {
        let key = step.key(parent);
        let mut types: Vec<Member> = all
            .iter()
            .filter_map(|member| {
                let of = part_type(self.types, member.of, &step)?;
                Some(Member { of, ..*member })
            })
            .collect();
        if types.is_empty() {
            types.push(Member {
                group: 0,
                active: true,
                of: ANY,
            });
        }
        let present = same.and_then(|value| part_of(value, &step));
        self.value(key, &types, present.as_ref())
    }

    fn map(&self, key: u64, all: &[Member], members: &[TypeId], same: Option<&Value>) -> Value {
        let mut entries = match same {
            Some(Value::Map(map)) => map.entries.clone(),
            _ => match members.iter().find_map(|of| self.types.simplest(*of)) {
                Some(Value::Map(map)) => map.entries.clone(),
                _ => Default::default(),
            },
        };
        let mut keys: Vec<Key> = entries.keys().cloned().collect();
        keys.extend(self.asked(key));
        keys.sort();
        keys.dedup();
        for name in keys {
            let step = Step::Entry(name.clone());
            let has = self.number(step.key(key), Field::Has);
            let has = has.map_or(entries.contains_key(&name), |has| has == 1);
            match has {
                true => {
                    let value = self.part(key, all, same, step);
                    entries.insert(name, Some(value));
                }
                false => {
                    entries.remove(&name);
                }
            }
        }
        Value::Map(Arc::new(crate::value::Map {
            base: None,
            entries,
        }))
    }

    /// Keys that runs have asked this map for.
    fn asked(&self, key: u64) -> Vec<Key> {
        let asked = self.keys.and_then(|keys| keys.of.get(&key));
        asked.map_or(Vec::new(), |keys| keys.iter().cloned().collect())
    }

    fn binary(&self, key: u64, members: &[TypeId], same: Option<&Value>) -> Value {
        let simplest = || members.iter().find_map(|of| self.types.simplest(*of));
        let present = same.cloned().or_else(simplest);
        let (mut bytes, now) = match &present {
            Some(Value::Binary(binary)) => binary.packed(),
            _ => (Vec::new(), 0),
        };
        let length = self
            .number(key, Field::Length)
            .map_or(now, |length| length as usize);
        bytes.resize(length.div_ceil(8), 0);
        for (index, byte) in bytes.iter_mut().enumerate() {
            if let Some(value) = self.number(key, Field::Byte(index as u32)) {
                *byte = value as u8;
            }
        }
        if !length.is_multiple_of(8)
            && let Some(last) = bytes.last_mut()
        {
            *last &= 0xff << (8 - length % 8);
        }
        Value::Binary(crate::value::binary::Binary::known(bytes.into(), length))
    }
}

fn fits(of: &Type, present: &Value) -> bool {
    mask_of(of) >> kind_of(present) as u16 & 1 == 1
}
