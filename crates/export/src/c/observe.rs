//! What was observed, as checks: all of a result, and of memory what changed.

use super::build::{Builder, FEW};
use super::lvalue::LValue;
use super::names::noun;
use super::spell::{self, Kind, Spelled, plain, pointee, string, words};
use super::test::{Check, Statement};
use elsewise_graph::{Field, Value};
use std::collections::VecDeque;

/// Objects that the calls made are followed so far.
const MADE: usize = 16;

pub struct Observer<'b, 'a> {
    builder: &'b mut Builder<'a>,
    pub checks: Vec<Statement>,
    /// Objects that the calls made and whose content is still to be told.
    made: VecDeque<usize>,
    told: usize,
}

impl<'b, 'a> Observer<'b, 'a> {
    pub fn new(builder: &'b mut Builder<'a>) -> Self {
        Observer {
            builder,
            checks: Vec::new(),
            made: VecDeque::new(),
            told: 0,
        }
    }

    fn check(&mut self, check: Check) {
        self.checks.push(Statement::Check(check));
    }

    /// All of what a call returned.
    pub fn result(&mut self, actual: &str, result: &Field) -> Spelled<()> {
        self.whole(&LValue::Value(actual.to_owned()), &result.value, &result.ty)?;
        self.objects_made()
    }

    /// What is different in memory since the test began.
    pub fn changes(&mut self) -> Spelled<()> {
        let behaviour = self.builder.behaviour;
        let Some(after) = &behaviour.after else {
            return Ok(());
        };
        for (at, before) in behaviour.before.objects.iter().enumerate() {
            let Some(now) = after.objects.get(at).filter(|object| !object.freed) else {
                continue;
            };
            if self.builder.variable(at).is_none() {
                continue;
            }
            if let Some(place) = self.builder.places[at].clone() {
                self.changed(&place, &before.value, &now.value, &now.ty)?;
            }
        }
        for root in &after.roots {
            let place = LValue::Value(root.name.clone());
            match behaviour.before.roots.iter().find(|b| b.name == root.name) {
                Some(before) => self.changed(&place, &before.value, &root.value, &root.ty)?,
                None => self.whole(&place, &root.value, &root.ty)?,
            }
        }
        self.objects_made()
    }

    fn objects_made(&mut self) -> Spelled<()> {
        while let Some(at) = self.made.pop_front() {
            let behaviour = self.builder.behaviour;
            let object = behaviour.after.as_ref().and_then(|a| a.objects.get(at));
            if let (Some(object), Some(place)) = (object, self.builder.places[at].clone()) {
                self.whole(&place, &object.value, &object.ty)?;
            }
        }
        Ok(())
    }

    fn whole(&mut self, place: &LValue, value: &Value, ty: &str) -> Spelled<()> {
        let actual = place.text();
        match value {
            Value::Struct(fields) => {
                for field in fields {
                    self.whole(&place.member(&field.name), &field.value, &field.ty)?;
                }
            }
            Value::Union(field) => {
                self.whole(&place.member(&field.name), &field.value, &field.ty)?;
            }
            Value::Array(all) => {
                let element = element_type(ty);
                if all.len() > FEW && all.iter().all(|v| matches!(v, Value::Integer(_))) {
                    return self.memory(place, all, element);
                }
                for (at, value) in all.iter().enumerate() {
                    self.whole(&place.element(at), value, element)?;
                }
            }
            Value::Text(bytes) => self.text(&actual, bytes, ty),
            Value::Bytes(bytes) => self.check(Check::Memory {
                actual: place.address(true),
                expected: string(bytes),
                size: bytes.len().to_string(),
            }),
            Value::Integer(number) => {
                let expected = spell::integer(*number, ty, self.builder.context.cpp)?;
                let unsigned =
                    matches!(spell::kind(ty), Kind::Unsigned(..)) || *number > i128::from(i64::MAX);
                self.check(match expected.as_str() {
                    "true" => Check::True(actual),
                    "false" => Check::False(actual),
                    _ => Check::Integer {
                        actual,
                        expected,
                        unsigned,
                    },
                });
            }
            Value::Named(name) => self.check(match name.as_str() {
                "true" => Check::True(actual),
                "false" => Check::False(actual),
                _ if spell::kind(ty) == Kind::Enum => Check::Integer {
                    actual,
                    expected: name.clone(),
                    unsigned: false,
                },
                _ => Check::Same {
                    actual,
                    expected: name.clone(),
                },
            }),
            Value::Single(number) if number.is_nan() => self.check(Check::Nan(actual)),
            Value::Double(number) if number.is_nan() => self.check(Check::Nan(actual)),
            Value::Single(number) => self.check(Check::Float {
                actual,
                expected: spell::single(*number),
                single: true,
            }),
            Value::Double(number) => self.check(Check::Float {
                // A long double keeps more than is known of it.
                actual: if words(ty).any(|word| word == "long") {
                    format!("(double){actual}")
                } else {
                    actual
                },
                expected: spell::double(*number),
                single: false,
            }),
            Value::Null => self.check(Check::Null(actual)),
            Value::Elsewhere => self.check(Check::NotNull(actual)),
            Value::Pointer { object, path } => {
                self.pointer(actual, *object, path.is_empty(), value, ty)?
            }
            Value::Result(_) => {
                let expected = self.builder.scalar(value, ty)?;
                self.check(Check::Pointer { actual, expected });
            }
        }
        Ok(())
    }

    fn pointer(
        &mut self,
        actual: String,
        object: usize,
        whole: bool,
        value: &Value,
        ty: &str,
    ) -> Spelled<()> {
        let behaviour = self.builder.behaviour;
        if object < behaviour.before.objects.len() {
            // Where an object was not built, nothing leads to it but this pointer.
            self.check(match self.builder.scalar(value, ty) {
                Ok(expected) => Check::Pointer { actual, expected },
                Err(_) => Check::NotNull(actual),
            });
            return Ok(());
        }
        if let Some(Some(place)) = self.builder.places.get(object) {
            let expected = place.address(true);
            self.check(if whole {
                Check::Pointer { actual, expected }
            } else {
                Check::NotNull(actual)
            });
            return Ok(());
        }
        self.check(Check::NotNull(actual.clone()));
        let made = behaviour.after.as_ref().and_then(|a| a.objects.get(object));
        let Some(made) = made.filter(|made| whole && !made.freed) else {
            return Ok(());
        };
        let seen_as = pointee(ty).map(plain).unwrap_or_default();
        let same = seen_as == plain(&made.ty)
            || spell::kind(&seen_as) == Kind::Other && noun(&seen_as) == noun(&made.ty);
        if same && self.told < MADE {
            self.told += 1;
            self.builder.places[object] = Some(match made.value {
                Value::Array(_) | Value::Text(_) | Value::Bytes(_) => LValue::Elements(actual),
                _ => LValue::Target(actual),
            });
            self.made.push_back(object);
        }
        Ok(())
    }

    fn text(&mut self, actual: &str, bytes: &[u8], ty: &str) {
        let actual = actual.to_owned();
        let length = bytes.iter().position(|b| *b == 0);
        let char = matches!(
            spell::kind(element_type(ty).trim_end_matches(['*', ' '])),
            Kind::Char
        );
        self.check(match length {
            Some(length) if char => Check::Text {
                actual,
                expected: string(&bytes[..length]),
            },
            _ => Check::Memory {
                actual,
                expected: string(bytes),
                size: bytes.len().to_string(),
            },
        });
    }

    fn memory(&mut self, place: &LValue, values: &[Value], ty: &str) -> Spelled<()> {
        let name = self.builder.names.pick("expected");
        let line = self.builder.constant_array(&name, values, ty)?;
        self.checks.push(Statement::Code(line));
        self.check(Check::Memory {
            actual: place.address(true),
            size: format!("sizeof {name}"),
            expected: name,
        });
        Ok(())
    }

    fn changed(&mut self, place: &LValue, before: &Value, after: &Value, ty: &str) -> Spelled<()> {
        match (before, after) {
            _ if same(before, after) => {}
            (Value::Struct(old), Value::Struct(new)) if old.len() == new.len() => {
                for (old, new) in old.iter().zip(new) {
                    self.changed(&place.member(&new.name), &old.value, &new.value, &new.ty)?;
                }
            }
            (Value::Union(old), Value::Union(new)) if old.name == new.name => {
                self.changed(&place.member(&new.name), &old.value, &new.value, &new.ty)?;
            }
            (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
                let differ = old.iter().zip(new).filter(|(a, b)| !same(a, b)).count();
                let simple = new.iter().all(|v| matches!(v, Value::Integer(_)));
                if simple && differ > FEW {
                    return self.memory(place, new, element_type(ty));
                }
                for (at, (old, new)) in old.iter().zip(new).enumerate() {
                    self.changed(&place.element(at), old, new, element_type(ty))?;
                }
            }
            (Value::Text(old), Value::Text(new)) if old.len() == new.len() => {
                let end = new.iter().position(|b| *b == 0).unwrap_or(new.len());
                if old[end..] == new[end..] || new[end..].iter().all(|b| *b == 0) {
                    self.text(&place.text(), new, ty);
                } else {
                    self.check(Check::Memory {
                        actual: place.text(),
                        expected: string(new),
                        size: new.len().to_string(),
                    });
                }
            }
            _ => self.whole(place, after, ty)?,
        }
        Ok(())
    }
}

/// The type of an array's elements; the type itself where it names them already.
fn element_type(ty: &str) -> &str {
    ty.find('[').map_or(ty, |at| ty[..at].trim_end())
}

/// Whether nothing can be told to have changed: NaN is NaN, and unknown memory stays unknown.
fn same(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Single(a), Value::Single(b)) => a.to_bits() == b.to_bits(),
        (Value::Double(a), Value::Double(b)) => a.to_bits() == b.to_bits(),
        (Value::Struct(a), Value::Struct(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(&a.value, &b.value))
        }
        (Value::Union(a), Value::Union(b)) => a.name == b.name && same(&a.value, &b.value),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        _ => before == after,
    }
}
