//! What a function of the C library touches of the memory that it is given: code says it before the call, if there are
//! other threads.

use crate::emitter::Emitter;
use crate::functions::{has_body, is_model};
use crate::ir::{self, Ir, Value};
use elsewise_wire::given::{self, Extent, Given};

/// Something to say before a call.
pub enum Touched {
    /// With the size of the variable that an argument is the address of, if it is one.
    Memory(Given, Vec<Value>, u64),
    /// An argument behind a format, and which it is.
    Printed(Vec<Value>, usize, usize),
    /// A format and a list of arguments.
    List(Value, Value),
}

impl Touched {
    pub fn emit(&self, ir: &Ir, site: Value) {
        match self {
            Touched::Memory(given, arguments, known) => {
                let number = |index: &usize| ir.as_i64(arguments[*index]);
                let size = match &given.extent {
                    Extent::Bytes(size) => ir.const64((*size).into()),
                    Extent::Elements(count, size) => {
                        ir.mul(number(count), ir.const64((*size).into()))
                    }
                    Extent::Product(one, other) => ir.mul(number(one), number(other)),
                    Extent::Parts(count) => number(count),
                    Extent::Text | Extent::Message => ir.const64(0),
                    Extent::Unknown => ir.const64(*known),
                };
                let how = ir.const32(given.how());
                let said = [site, number(&given.argument), size, how];
                ir.call("__elw_given", None, &said);
            }
            Touched::Printed(arguments, format, index) => {
                let behind = index - format - 1;
                let before = match ir.shape_of(arguments[index - 1]) {
                    Some(_) if behind > 0 => ir.as_i64(arguments[index - 1]),
                    _ => ir.const64(0),
                };
                let value = ir.as_i64(arguments[*index]);
                let (format, behind) = (ir.as_i64(arguments[*format]), ir.const32(behind as u32));
                let said = [site, format, behind, value, before];
                ir.call("__elw_printed", None, &said);
            }
            Touched::List(format, list) => {
                let said = [site, ir.as_i64(*format), *list];
                ir.call("__elw_printed_list", None, &said);
            }
        }
    }
}

impl Emitter<'_> {
    /// What there is to say before a call.
    pub fn given(&mut self, call: Value, callee: Option<&(Value, String)>) -> Vec<Touched> {
        let known = callee.filter(|(function, _)| !has_body(*function) && !is_model(call));
        let (Some((_, name)), true) = (known, self.touches.is_some()) else {
            return Vec::new();
        };
        let arguments = call.arguments();
        let mut all = Vec::new();
        for given in given::of(name) {
            if self.is_shared(arguments.get(given.argument)) && fits(&given.extent, &arguments) {
                let known = self.known_size(arguments[given.argument]).unwrap_or(0);
                all.push(Touched::Memory(given, arguments.clone(), known.into()));
            }
        }
        let Some((format, list)) = given::format_of(name) else {
            return all;
        };
        match (list, arguments.get(format), arguments.get(format + 1)) {
            (true, Some(format), Some(list)) if list.ty() == self.ir.ptr => {
                all.push(Touched::List(*format, *list));
            }
            (false, Some(text), Some(_)) => {
                // Most formats ask for no text.
                let text = ir::constant_text(*text);
                let asks = text.is_none_or(|text| text.iter().any(|byte| b"sS".contains(byte)));
                for index in format + 1..arguments.len() {
                    if asks && self.is_shared(arguments.get(index)) {
                        all.push(Touched::Printed(arguments.clone(), format, index));
                    }
                }
            }
            _ => {}
        }
        all
    }

    /// The pointers of a call, with the size of what they are known to be the address of.
    pub fn pointers(&mut self, call: Value) -> Vec<(Value, u64)> {
        let arguments = call.arguments().into_iter();
        let shared = |value: &Value| self.is_shared(Some(value));
        let pointers: Vec<Value> = arguments.filter(shared).collect();
        let size = |value: Value| self.known_size(value).unwrap_or(0).into();
        pointers.into_iter().map(|one| (one, size(one))).collect()
    }

    /// Is it a pointer to what other threads may see?
    fn is_shared(&mut self, value: Option<&Value>) -> bool {
        let pointer = value.filter(|value| value.ty() == self.ir.ptr && !value.is_null());
        let pointer = pointer.filter(|value| !value.is_function());
        match (pointer, &mut self.touches) {
            (Some(pointer), Some(touches)) => !touches.is_private(*pointer),
            _ => false,
        }
    }
}

/// Are the arguments there that say how much it is?
fn fits(extent: &Extent, arguments: &[Value]) -> bool {
    let number = |index: &usize| {
        let argument = arguments.get(*index);
        argument.is_some_and(|value| value.ty().is_integer() && value.ty().int_width() <= 64)
    };
    match extent {
        Extent::Elements(count, _) | Extent::Parts(count) => number(count),
        Extent::Product(one, other) => number(one) && number(other),
        _ => true,
    }
}
