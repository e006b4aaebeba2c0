//! Builds the memory that a behaviour begins with: a variable for every object, those pointed to
//! before those that point to them, and cycles closed by later assignments.

use super::context::Context;
use super::lvalue::LValue;
use super::makers::{Maker, is_constant, is_zero};
use super::names::{Names, noun};
use super::spell::{
    self, Kind, Spelled, Unspeakable, declare, plain, pointee, string, string_in, type_name,
};
use super::storage::{Storage, choose, pointers, roots, target};
use elsewise_graph::{Behaviour, Value};

/// More elements than this are compared and copied as a whole.
pub const FEW: usize = 8;

pub struct Builder<'a> {
    pub context: &'a Context,
    pub behaviour: &'a Behaviour,
    pub names: Names,
    pub lines: Vec<String>,
    /// Where each object is, once it is there.
    pub places: Vec<Option<LValue>>,
    /// The variables that hold what earlier calls returned.
    pub results: Vec<Option<String>>,
    storage: Vec<Storage>,
    variables: Vec<String>,
    pub(super) pending: Vec<Pending<'a>>,
}

/// A pointer that is set once what it points to is there.
pub(super) struct Pending<'a> {
    pub place: LValue,
    pub value: &'a Value,
    pub ty: String,
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
        builder.storage = (0..count)
            .map(|at| choose(context, behaviour, at))
            .collect();
        builder
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
                &LValue::Value(root.name.clone()),
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
        for root in roots(self.behaviour) {
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
        for field in roots(self.behaviour) {
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
                    self.places[at] = Some(LValue::Elements(string(&bytes[..bytes.len() - 1])));
                }
            }
            Storage::Made(maker) => {
                let maker = &self.context.makers[maker];
                let place = LValue::Target(name.clone());
                let mut arguments = Vec::new();
                for (parameter, value) in
                    maker.parameters.iter().zip(maker.arguments(&object.value))
                {
                    let place = LValue::Target(name.clone()).member(&parameter.path.join("."));
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
        place: &LValue,
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
                // A text without an end is none that a maker could copy.
                Value::Text(bytes) if string_in(bytes).is_none() => {
                    self.assign(&inner, &field.value, &field.ty, false)?;
                }
                _ if maker.parameters.iter().any(|known| known.path == *path) => {}
                _ if is_constant(field) && !is_zero(&field.value) => {
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
    fn argument(&mut self, place: LValue, value: Option<&'a Value>, ty: &str) -> Spelled<String> {
        match value {
            Some(Value::Text(bytes)) => Ok(string(string_in(bytes).unwrap_or_default())),
            Some(value) => self.scalar_or_later(place, value, ty),
            None if ty.contains('[') => Ok(string(b"")),
            None if ty.contains('*') => Ok(self.null()),
            None => spell::integer(0, ty, self.context.cpp),
        }
    }

    pub fn null(&self) -> String {
        (if self.context.cpp { "nullptr" } else { "NULL" }).to_owned()
    }

    pub(super) fn scalar_or_later(
        &mut self,
        place: LValue,
        value: &'a Value,
        ty: &str,
    ) -> Spelled<String> {
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
            // What the harness of an exploration has instead of a caller's function.
            Value::Named(name) if name.starts_with("elw_") => {
                unknown("it passes a function that only the exploration has")
            }
            Value::Named(name) => Ok(name.clone()),
            Value::Null => Ok(self.null()),
            Value::Text(bytes) => Ok(string(string_in(bytes).unwrap_or(bytes))),
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
