//! Fills objects: declarations, initialisers and assignments.

use super::build::{Builder, FEW, Pending};
use super::lvalue::LValue;
use super::makers::{is_flexible, is_zero};
use super::spell::{self, Spelled, braces, declare, plain, string, string_in};
use super::storage::target;
use elsewise_graph::{Field, Object, Value};

impl<'a> Builder<'a> {
    /// Statements that put `value` into `place`, which holds zeros unless `all` is to be set.
    pub fn assign(&mut self, place: &LValue, value: &'a Value, ty: &str, all: bool) -> Spelled<()> {
        if !all && is_zero(value) {
            return Ok(());
        }
        match value {
            Value::Struct(fields) => {
                for field in fields {
                    self.assign(&place.member(&field.name), &field.value, &field.ty, all)?;
                }
            }
            Value::Union(field) => {
                self.assign(&place.member(&field.name), &field.value, &field.ty, all)?;
            }
            Value::Array(values) => {
                let element = ty.find('[').map_or(ty, |at| ty[..at].trim_end());
                let simple = values.iter().all(|v| matches!(v, Value::Integer(_)));
                if simple && values.len() > FEW {
                    let content = self.content(&place.text(), values, element)?;
                    self.lines.push(format!(
                        "memcpy({}, {content}, sizeof {content})",
                        place.text()
                    ));
                    return Ok(());
                }
                for (at, value) in values.iter().enumerate() {
                    self.assign(&place.element(at), value, element, all)?;
                }
            }
            Value::Text(bytes) if ty.contains('[') || !ty.contains('*') => {
                let to = place.text();
                self.lines.push(match string_in(bytes) {
                    Some(text) if ty.starts_with("char") => {
                        format!("strcpy({to}, {})", string(text))
                    }
                    _ => format!("memcpy({to}, {}, {})", string(bytes), bytes.len()),
                });
            }
            Value::Bytes(bytes) => {
                let to = place.address(ty.contains('['));
                self.lines
                    .push(format!("memcpy({to}, {}, {})", string(bytes), bytes.len()));
            }
            _ => {
                let later = place.clone();
                if target(value).is_some_and(|at| self.places[at].is_none()) {
                    let ty = ty.to_owned();
                    let place = later;
                    self.pending.push(Pending { place, value, ty });
                } else {
                    let text = self.scalar(value, ty)?;
                    self.lines.push(format!("{} = {text}", place.text()));
                }
            }
        }
        Ok(())
    }

    /// A constant array that holds `values`.
    fn content(&mut self, of: &str, values: &[Value], ty: &str) -> Spelled<String> {
        let last = spell::words(of).last().unwrap_or("it");
        let name = self.names.pick(&format!("{last}_content"));
        let line = self.constant_array(&name, values, ty)?;
        self.lines.push(line);
        Ok(name)
    }

    /// The declaration of a constant array.
    pub fn constant_array(&self, name: &str, values: &[Value], ty: &str) -> Spelled<String> {
        let ty = plain(ty);
        let values: Spelled<Vec<String>> = values.iter().map(|v| self.scalar(v, &ty)).collect();
        Ok(format!(
            "static const {} = {{{}}}",
            declare(&ty, &format!("{name}[]"), self.context.cpp)?,
            values?.join(", ")
        ))
    }

    /// A variable that is the object itself.
    pub fn local(&mut self, at: usize, object: &'a Object, name: &str, ty: &str) -> Spelled<()> {
        let cpp = self.context.cpp;
        let place = LValue::Value(name.to_owned());
        match &object.value {
            Value::Text(bytes) => self.lines.push(text_array(name, ty, bytes, cpp)?),
            Value::Bytes(bytes) => self.lines.push(format!(
                "unsigned char {name}[{}] = {}",
                bytes.len(),
                braces(bytes, false)
            )),
            value => {
                let declared = match (object.count, value) {
                    (_, Value::Array(all)) if is_zero(value) || cpp => {
                        declare(ty, &format!("{name}[{}]", all.len()), cpp)?
                    }
                    (_, Value::Array(_)) => declare(ty, &format!("{name}[]"), cpp)?,
                    _ => declare(ty, name, cpp)?,
                };
                self.declared(&declared, &place, value, ty)?;
            }
        }
        self.places[at] = Some(place);
        Ok(())
    }

    /// A variable of `ty` that holds `value`, such as a struct that is passed by value.
    pub fn value(&mut self, wanted: &str, value: &'a Value, ty: &str) -> Spelled<String> {
        let name = self.names.pick(wanted);
        let ty = plain(ty);
        let declared = declare(&ty, &name, self.context.cpp)?;
        self.declared(&declared, &LValue::Value(name.clone()), value, &ty)?;
        Ok(name)
    }

    fn declared(
        &mut self,
        declared: &str,
        place: &LValue,
        value: &'a Value,
        ty: &str,
    ) -> Spelled<()> {
        let whole = matches!(value, Value::Struct(_) | Value::Union(_) | Value::Array(_));
        let plain_array = matches!(value, Value::Array(all) if all.iter().all(|v| {
            !matches!(v, Value::Struct(_) | Value::Union(_) | Value::Array(_) | Value::Text(_))
        }));
        if !whole || plain_array || !self.context.cpp {
            let text = self.initialiser(place, value, ty)?;
            self.lines.push(format!("{declared} = {text}"));
            return Ok(());
        }
        // C++ has no initialisers by name before C++20.
        self.lines.push(format!("{declared} = {{}}"));
        self.assign(place, value, ty, false)
    }

    fn initialiser(&mut self, place: &LValue, value: &'a Value, ty: &str) -> Spelled<String> {
        let zero = (if self.context.cpp { "{}" } else { "{0}" }).to_owned();
        Ok(match value {
            Value::Struct(_) | Value::Union(_) | Value::Array(_) if is_zero(value) => zero,
            Value::Struct(fields) => {
                let mut parts = Vec::new();
                self.designated(place, fields, &mut parts)?;
                format!("{{{}}}", parts.join(", "))
            }
            Value::Union(field) => {
                let mut parts = Vec::new();
                self.designated(place, std::slice::from_ref(&**field), &mut parts)?;
                format!("{{{}}}", parts.join(", "))
            }
            Value::Array(all) => {
                let element = ty.find('[').map_or(ty, |at| ty[..at].trim_end());
                let mut parts = Vec::new();
                for (at, value) in all.iter().enumerate() {
                    parts.push(self.initialiser(&place.element(at), value, element)?);
                }
                format!("{{{}}}", parts.join(", "))
            }
            Value::Text(bytes) if ty.contains('[') => {
                string_in(bytes).map_or_else(|| braces(bytes, true), string)
            }
            Value::Bytes(bytes) => braces(bytes, false),
            _ => self.scalar_or_later(place.clone(), value, ty)?,
        })
    }

    fn designated(
        &mut self,
        place: &LValue,
        fields: &'a [Field],
        out: &mut Vec<String>,
    ) -> Spelled<()> {
        for field in fields.iter().filter(|field| !is_zero(&field.value)) {
            if field.name.is_empty() {
                match &field.value {
                    Value::Struct(fields) => self.designated(place, fields, out)?,
                    Value::Union(inner) => {
                        self.designated(place, std::slice::from_ref(&**inner), out)?;
                    }
                    _ => {}
                }
                continue;
            }
            let text = self.initialiser(&place.member(&field.name), &field.value, &field.ty)?;
            out.push(format!(".{} = {text}", field.name));
        }
        Ok(())
    }

    /// An object on the heap that no maker makes.
    pub fn heap(&mut self, at: usize, object: &'a Object, name: &str, ty: &str) -> Spelled<()> {
        let cpp = self.context.cpp;
        let cast = |text: String| -> Spelled<String> {
            Ok(if cpp {
                format!("static_cast<{}>({text})", declare(ty, "*", cpp)?)
            } else {
                text
            })
        };
        let declared = declare(ty, &format!("*{name}"), cpp)?;
        let elements = LValue::Elements(name.to_owned());
        let target = LValue::Target(name.to_owned());
        let place = match &object.value {
            Value::Text(bytes) if ty == "char" && spell::is_string(bytes) => {
                let text = string(&bytes[..bytes.len() - 1]);
                self.lines.push(format!("{declared} = copy_string({text})"));
                elements
            }
            Value::Text(bytes) | Value::Bytes(bytes) => {
                let declared = if matches!(object.value, Value::Bytes(_)) {
                    format!("unsigned char *{name}")
                } else {
                    declared
                };
                let copy = format!("copy({}, {})", string(bytes), bytes.len());
                let copy = match object.value {
                    Value::Bytes(_) if cpp => format!("static_cast<unsigned char *>({copy})"),
                    Value::Bytes(_) => copy,
                    _ => cast(copy)?,
                };
                self.lines.push(format!("{declared} = {copy}"));
                elements
            }
            Value::Array(all) => {
                let simple = all.iter().all(|v| {
                    matches!(
                        v,
                        Value::Integer(_) | Value::Single(_) | Value::Double(_) | Value::Named(_)
                    )
                });
                if simple && !all.is_empty() && !all.iter().all(is_zero) {
                    let content = self.content(name, all, ty)?;
                    let copy = cast(format!("copy({content}, sizeof {content})"))?;
                    self.lines.push(format!("{declared} = {copy}"));
                } else {
                    let count = all.len().max(1);
                    let new = cast(format!("allocate({count} * sizeof *{name})"))?;
                    self.lines.push(format!("{declared} = {new}"));
                    self.assign(&elements, &object.value, ty, false)?;
                }
                elements
            }
            value => {
                let size = match flexible_size(value) {
                    Some((path, count)) => {
                        format!("sizeof *{name} + {count} * sizeof {name}->{path}[0]")
                    }
                    None => format!("sizeof *{name}"),
                };
                let new = cast(format!("allocate({size})"))?;
                self.lines.push(format!("{declared} = {new}"));
                self.assign(&target, value, ty, false)?;
                target
            }
        };
        self.places[at] = Some(place);
        Ok(())
    }
}

/// The member that goes on behind the end of a struct, and how many elements it has.
fn flexible_size(value: &Value) -> Option<(String, usize)> {
    let Value::Struct(fields) = value else {
        return None;
    };
    if !is_flexible(value) {
        return None;
    }
    let last = fields.last()?;
    Some(match &last.value {
        Value::Array(all) => (last.name.clone(), all.len()),
        Value::Text(bytes) | Value::Bytes(bytes) => (last.name.clone(), bytes.len()),
        inner => {
            let (path, count) = flexible_size(inner)?;
            (format!("{}.{path}", last.name), count)
        }
    })
}

fn text_array(name: &str, ty: &str, bytes: &[u8], cpp: bool) -> Spelled<String> {
    let size = bytes.len();
    let length = bytes.iter().rposition(|b| *b != 0).map_or(0, |at| at + 1);
    if length == size {
        let declared = declare(ty, &format!("{name}[{size}]"), cpp)?;
        return Ok(format!("{declared} = {}", braces(bytes, true)));
    }
    let size = if length + 1 == size {
        String::new()
    } else {
        size.to_string()
    };
    let declared = declare(ty, &format!("{name}[{size}]"), cpp)?;
    Ok(format!("{declared} = {}", string(&bytes[..length])))
}
