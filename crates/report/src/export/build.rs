//! Builds the memory that a behaviour begins with: a variable for every object, those pointed to
//! before those that point to them, and cycles closed by later assignments.

use super::makers::{Maker, is_flexible, is_made, is_string, is_zero};
use super::names::{Names, noun};
use super::place::Place;
use super::spell::{
    self, Kind, Spelled, Unspeakable, braces, declare, plain, pointee, string, type_name,
};
use elsewise_graph::{Behaviour, Field, Object, Value};
use std::collections::BTreeSet;

/// More elements than this are compared and copied as a whole.
pub const FEW: usize = 8;

/// What all tests of a suite share.
#[derive(Debug)]
pub struct Context {
    pub cpp: bool,
    pub names: Names,
    pub makers: Vec<Maker>,
    /// Types of objects that some behaviour gave back, which therefore live on the heap.
    pub freed: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Storage {
    /// On the heap, by the maker with this number.
    Made(usize),
    Heap,
    Local,
    /// A string literal where it is used.
    Literal,
}

pub struct Builder<'a> {
    pub context: &'a Context,
    pub behaviour: &'a Behaviour,
    pub names: Names,
    pub lines: Vec<String>,
    /// Where each object is, once it is there.
    pub places: Vec<Option<Place>>,
    /// The variables that hold what earlier calls returned.
    pub results: Vec<Option<String>>,
    storage: Vec<Storage>,
    variables: Vec<String>,
    pending: Vec<Pending<'a>>,
}

/// A pointer that is set once what it points to is there.
struct Pending<'a> {
    place: Place,
    value: &'a Value,
    ty: String,
}

/// Calls `see` with every pointer in `value` and the type that it has there.
fn pointers<'a>(value: &'a Value, ty: &'a str, see: &mut dyn FnMut(&'a Value, &'a str)) {
    match value {
        Value::Pointer { .. } => see(value, ty),
        Value::Struct(fields) => {
            for field in fields {
                pointers(&field.value, &field.ty, see);
            }
        }
        Value::Union(field) => pointers(&field.value, &field.ty, see),
        Value::Array(all) => {
            let element = ty.find('[').map_or(ty, |at| ty[..at].trim_end());
            for value in all {
                pointers(value, element, see);
            }
        }
        _ => {}
    }
}

fn target(value: &Value) -> Option<usize> {
    match value {
        Value::Pointer { object, .. } => Some(*object),
        _ => None,
    }
}

impl<'a> Builder<'a> {
    pub fn new(context: &'a Context, behaviour: &'a Behaviour) -> Builder<'a> {
        let known = behaviour
            .after
            .as_ref()
            .map_or(0, |after| after.objects.len());
        let count = behaviour.before.objects.len();
        let mut builder = Builder {
            context,
            behaviour,
            names: context.names.clone(),
            lines: Vec::new(),
            places: vec![None; count.max(known)],
            results: vec![None; behaviour.calls.len()],
            storage: Vec::new(),
            variables: vec![String::new(); count],
            pending: Vec::new(),
        };
        builder.storage = (0..count).map(|at| builder.choose_storage(at)).collect();
        builder
    }

    fn roots(&self) -> impl Iterator<Item = &'a Field> + use<'a> {
        let arguments = self.behaviour.calls.iter().flat_map(|call| &call.arguments);
        arguments.chain(&self.behaviour.before.roots)
    }

    fn choose_storage(&self, at: usize) -> Storage {
        let object = &self.behaviour.before.objects[at];
        let ty = plain(&object.ty);
        if is_made(object)
            && let Some(maker) = self.context.makers.iter().position(|maker| maker.ty == ty)
        {
            return Storage::Made(maker);
        }
        let mut uses: Vec<(&str, bool)> = Vec::new();
        for field in self.roots() {
            let direct = matches!(field.value, Value::Pointer { .. });
            pointers(&field.value, &field.ty, &mut |value, ty| {
                if target(value) == Some(at) {
                    uses.push((ty, direct));
                }
            });
        }
        for other in &self.behaviour.before.objects {
            pointers(&other.value, &other.ty, &mut |value, ty| {
                if target(value) == Some(at) {
                    uses.push((ty, false));
                }
            });
        }
        let literal = match &object.value {
            Value::Text(bytes) => {
                bytes.iter().position(|b| *b == 0) == Some(bytes.len().wrapping_sub(1))
                    && ty == "char"
                    && matches!(uses.as_slice(), [(used, _)] if used.trim_start().starts_with("const char *"))
                    && !self.is_told_of(at)
            }
            _ => false,
        };
        if literal {
            return Storage::Literal;
        }
        let local = !matches!(object.value, Value::Struct(_) if is_flexible(&object.value))
            && object.count != Some(0)
            && uses.iter().all(|(_, direct)| *direct)
            && self.behaviour.after.is_some()
            && !self.context.freed.contains(&ty);
        if local && !matches!(object.value, Value::Union(_)) {
            Storage::Local
        } else {
            Storage::Heap
        }
    }

    /// Whether checks may have something to say of the object.
    fn is_told_of(&self, at: usize) -> bool {
        let mut told = false;
        for call in &self.behaviour.calls {
            if let Some(result) = &call.result {
                pointers(&result.value, &result.ty, &mut |value, _| {
                    told |= target(value) == Some(at);
                });
            }
        }
        let Some(after) = &self.behaviour.after else {
            return told;
        };
        let before = &self.behaviour.before;
        for (number, object) in after.objects.iter().enumerate() {
            if before.objects.get(number) != Some(object) {
                told |= number == at;
                pointers(&object.value, &object.ty, &mut |value, _| {
                    told |= target(value) == Some(at);
                });
            }
        }
        for field in &after.roots {
            if !before.roots.contains(field) {
                pointers(&field.value, &field.ty, &mut |value, _| {
                    told |= target(value) == Some(at);
                });
            }
        }
        told
    }

    /// Declares and fills every object that the calls are given, and sets globals.
    pub fn memory(&mut self) -> Spelled<()> {
        let order = self.order()?;
        self.name(&order);
        for at in order {
            self.object(at)?;
            self.settle()?;
        }
        for root in &self.behaviour.before.roots {
            self.assign(
                &Place::Value(root.name.clone()),
                &root.value,
                &root.ty,
                true,
            )?;
        }
        Ok(())
    }

    /// Objects in the order in which they are made: after all that they point to, where they can.
    fn order(&self) -> Spelled<Vec<usize>> {
        let objects = &self.behaviour.before.objects;
        let mut seen = vec![false; objects.len()];
        let mut order = Vec::new();
        let mut stack: Vec<(usize, bool)> = Vec::new();
        for root in self.roots() {
            pointers(&root.value, &root.ty, &mut |value, _| {
                stack.extend(target(value).map(|at| (at, false)));
            });
            // What is pushed last is made first, and arguments come in their order.
            stack.reverse();
            while let Some((at, done)) = stack.pop() {
                if done {
                    order.push(at);
                    continue;
                }
                match seen.get_mut(at) {
                    Some(seen) if !*seen => *seen = true,
                    Some(_) => continue,
                    None => return Err(Unspeakable("a pointer leads out of its graph".to_owned())),
                }
                stack.push((at, true));
                let first = stack.len();
                let object = &objects[at];
                pointers(&object.value, &object.ty, &mut |value, _| {
                    stack.extend(target(value).map(|at| (at, false)));
                });
                stack[first..].reverse();
            }
        }
        Ok(order)
    }

    /// Parameters give their names to what they point to, members to what is no struct; the rest
    /// is called as in pictures of the graph.
    fn name(&mut self, order: &[usize]) {
        for field in self.roots() {
            if let Value::Pointer { object, path } = &field.value
                && path.is_empty()
                && self.variables[*object].is_empty()
            {
                self.variables[*object] = self.names.pick(&field.name);
            }
        }
        for at in order.iter().rev() {
            let Value::Struct(fields) = &self.behaviour.before.objects[*at].value else {
                continue;
            };
            for field in fields {
                let Some(to) = target(&field.value) else {
                    continue;
                };
                let object = &self.behaviour.before.objects[to];
                let own = !matches!(object.value, Value::Struct(_) | Value::Union(_));
                if own && self.variables[to].is_empty() && self.names.is_free(&field.name) {
                    self.variables[to] = self.names.pick(&field.name);
                }
            }
        }
        for at in order.iter().rev() {
            if self.variables[*at].is_empty() {
                self.variables[*at] = self.names.pick(&self.behaviour.before.objects[*at].name);
            }
        }
    }

    /// How a test calls an object of `before`.
    pub fn variable(&self, at: usize) -> Option<&str> {
        match self.storage.get(at) {
            None | Some(Storage::Literal) => None,
            Some(_) => Some(&self.variables[at]),
        }
    }

    /// Variables of objects that the test itself has to give back.
    pub fn owned(&self) -> Vec<&str> {
        let freed = |at: usize| {
            let after = self.behaviour.after.as_ref();
            after
                .and_then(|after| after.objects.get(at))
                .is_none_or(|object| object.freed)
        };
        (0..self.storage.len())
            .filter(|&at| self.places[at].is_some() && !freed(at))
            .filter(|&at| matches!(self.storage[at], Storage::Made(_) | Storage::Heap))
            .map(|at| self.variables[at].as_str())
            .collect()
    }

    fn object(&mut self, at: usize) -> Spelled<()> {
        let object = &self.behaviour.before.objects[at];
        let cpp = self.context.cpp;
        let name = self.variables[at].clone();
        // A constant object is filled all the same.
        let ty = if object.ty.contains('*') {
            object.ty.clone()
        } else {
            plain(&object.ty)
        };
        match self.storage[at] {
            Storage::Literal => {
                if let Value::Text(bytes) = &object.value {
                    self.places[at] = Some(Place::Elements(string(&bytes[..bytes.len() - 1])));
                }
            }
            Storage::Made(maker) => {
                let maker = &self.context.makers[maker];
                let place = Place::Target(name.clone());
                let mut arguments = Vec::new();
                for (parameter, value) in
                    maker.parameters.iter().zip(maker.arguments(&object.value))
                {
                    let place = Place::Target(name.clone()).member(&parameter.path.join("."));
                    arguments.push(self.argument(place, value, &parameter.ty)?);
                }
                self.lines.push(format!(
                    "{} = {}({})",
                    declare(&ty, &format!("*{name}"), cpp)?,
                    maker.function,
                    arguments.join(", ")
                ));
                self.places[at] = Some(place.clone());
                self.rest(&place, &object.value, &mut Vec::new(), maker)?;
            }
            Storage::Local => self.local(at, object, &name, &ty)?,
            Storage::Heap => self.heap(at, object, &name, &ty)?,
        }
        Ok(())
    }

    /// Sets what the maker of a struct has no parameter for.
    fn rest(
        &mut self,
        place: &Place,
        value: &'a Value,
        path: &mut Vec<String>,
        maker: &Maker,
    ) -> Spelled<()> {
        let Value::Struct(fields) = value else {
            return Ok(());
        };
        for field in fields {
            let named = !field.name.is_empty();
            if named {
                path.push(field.name.clone());
            }
            let inner = place.member(&field.name);
            match &field.value {
                value @ Value::Struct(_) => self.rest(&inner, value, path, maker)?,
                _ if maker.parameters.iter().any(|known| known.path == *path) => {}
                _ if super::makers::is_constant(field) && !is_zero(&field.value) => {
                    let value = self.scalar(&field.value, &field.ty)?;
                    let ty = plain(&field.ty);
                    self.lines
                        .push(format!("*({ty} *)&{} = {value}", inner.text()));
                }
                value => self.assign(&inner, value, &field.ty, false)?,
            }
            if named {
                path.pop();
            }
        }
        Ok(())
    }

    /// An argument of a maker; a pointer to what is not there yet is set later.
    fn argument(&mut self, place: Place, value: Option<&'a Value>, ty: &str) -> Spelled<String> {
        match value {
            Some(Value::Text(bytes)) => {
                let length = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
                Ok(string(&bytes[..length]))
            }
            Some(value) => self.scalar_or_later(place, value, ty),
            None if ty.contains('[') => Ok(string(b"")),
            None if ty.contains('*') => Ok(self.null()),
            None => spell::integer(0, ty, self.context.cpp),
        }
    }

    pub fn null(&self) -> String {
        (if self.context.cpp { "nullptr" } else { "NULL" }).to_owned()
    }

    fn scalar_or_later(&mut self, place: Place, value: &'a Value, ty: &str) -> Spelled<String> {
        if target(value).is_some_and(|at| self.places[at].is_none()) {
            let ty = ty.to_owned();
            self.pending.push(Pending { place, value, ty });
            return Ok(self.null());
        }
        self.scalar(value, ty)
    }

    /// Sets the pointers that waited for what is there now.
    fn settle(&mut self) -> Spelled<()> {
        let (ready, waiting): (Vec<_>, Vec<_>) = std::mem::take(&mut self.pending)
            .into_iter()
            .partition(|p| target(p.value).is_none_or(|at| self.places[at].is_some()));
        self.pending = waiting;
        for pending in ready {
            let value = self.scalar(pending.value, &pending.ty)?;
            self.lines
                .push(format!("{} = {value}", pending.place.text()));
        }
        Ok(())
    }

    /// A value that is one expression.
    pub fn scalar(&self, value: &Value, ty: &str) -> Spelled<String> {
        let cpp = self.context.cpp;
        let unknown = |what: &str| Err(Unspeakable(what.to_owned()));
        match value {
            Value::Integer(number) => spell::integer(*number, ty, cpp),
            Value::Single(number) => Ok(spell::single(*number)),
            Value::Double(number) => Ok(spell::double(*number)),
            Value::Named(name) => Ok(name.clone()),
            Value::Null => Ok(self.null()),
            Value::Text(bytes) => {
                let length = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
                Ok(string(&bytes[..length]))
            }
            Value::Pointer { object, path } => {
                let objects = &self.behaviour.before.objects;
                let (Some(Some(place)), Some(to)) =
                    (self.places.get(*object), objects.get(*object))
                else {
                    return unknown("it points to memory that is not part of its input");
                };
                let text = place.pointer(path, &to.value);
                match pointee(ty) {
                    Some(wanted) if path.is_empty() && is_other(wanted, &to.ty) => {
                        let text = if text.starts_with('&') || !text.contains([' ', '+']) {
                            text
                        } else {
                            format!("({text})")
                        };
                        Ok(format!("({}){text}", type_name(ty, cpp)?))
                    }
                    _ => Ok(text),
                }
            }
            Value::Result(number) => match self.results.get(*number) {
                Some(Some(name)) => Ok(name.clone()),
                _ => unknown("it uses what a call returned before that call"),
            },
            Value::Elsewhere => unknown("it begins with a pointer to memory that is not known"),
            Value::Struct(_) | Value::Union(_) | Value::Array(_) | Value::Bytes(_) => {
                unknown("it passes memory where C wants a value")
            }
        }
    }

    /// Statements that put `value` into `place`, which holds zeros unless `all` is to be set.
    fn assign(&mut self, place: &Place, value: &'a Value, ty: &str, all: bool) -> Spelled<()> {
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
                self.lines
                    .push(if is_string(bytes) && ty.starts_with("char") {
                        let length = bytes.iter().position(|b| *b == 0).unwrap_or(0);
                        format!("strcpy({to}, {})", string(&bytes[..length]))
                    } else {
                        format!("memcpy({to}, {}, {})", string(bytes), bytes.len())
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
    fn local(&mut self, at: usize, object: &'a Object, name: &str, ty: &str) -> Spelled<()> {
        let cpp = self.context.cpp;
        let place = Place::Value(name.to_owned());
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
        self.declared(&declared, &Place::Value(name.clone()), value, &ty)?;
        Ok(name)
    }

    fn declared(
        &mut self,
        declared: &str,
        place: &Place,
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

    fn initialiser(&mut self, place: &Place, value: &'a Value, ty: &str) -> Spelled<String> {
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
                if is_string(bytes) {
                    let length = bytes.iter().position(|b| *b == 0).unwrap_or(0);
                    string(&bytes[..length])
                } else {
                    braces(bytes, true)
                }
            }
            Value::Bytes(bytes) => braces(bytes, false),
            _ => self.scalar_or_later(place.clone(), value, ty)?,
        })
    }

    fn designated(
        &mut self,
        place: &Place,
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
    fn heap(&mut self, at: usize, object: &'a Object, name: &str, ty: &str) -> Spelled<()> {
        let cpp = self.context.cpp;
        let cast = |text: String| -> Spelled<String> {
            Ok(if cpp {
                format!("static_cast<{}>({text})", declare(ty, "*", cpp)?)
            } else {
                text
            })
        };
        let declared = declare(ty, &format!("*{name}"), cpp)?;
        let elements = Place::Elements(name.to_owned());
        let target = Place::Target(name.to_owned());
        let place = match &object.value {
            Value::Text(bytes)
                if ty == "char"
                    && bytes.iter().position(|b| *b == 0) == bytes.len().checked_sub(1) =>
            {
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
                    let new = cast(format!("calloc({count}, sizeof *{name})"))?;
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
                let new = cast(format!("calloc(1, {size})"))?;
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

/// Whether a pointer to `wanted` needs a cast to point to an object of type `ty`.
fn is_other(wanted: &str, ty: &str) -> bool {
    let (wanted, ty) = (plain(wanted), plain(ty));
    let (kinds, nouns) = (
        (spell::kind(&wanted), spell::kind(&ty)),
        (noun(&wanted), noun(&ty)),
    );
    wanted != "void" && (kinds.0 != kinds.1 || kinds.0 == Kind::Other && nouns.0 != nouns.1)
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
