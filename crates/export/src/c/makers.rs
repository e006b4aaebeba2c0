//! Functions of exported tests that make one struct each.

use super::lvalue::member;
use super::names::{Names, noun};
use super::spell::{Spelled, declare, plain, string_in, type_name};
use elsewise_graph::{Behaviour, Field, Object, Value};
use std::fmt::Write;

/// More parameters than this are harder to read than assignments.
const PARAMETERS: usize = 6;

#[derive(Clone, Debug)]
pub struct Maker {
    /// The struct's type, without qualifiers.
    pub ty: String,
    pub function: String,
    pub parameters: Vec<Parameter>,
}

#[derive(Clone, Debug)]
pub struct Parameter {
    /// Members from the struct to what is set.
    pub path: Vec<String>,
    pub ty: String,
    /// A string that is copied into an array of characters.
    pub text: bool,
    name: String,
}

/// Whether `object` is a struct of which the last member goes on behind its end.
pub fn is_flexible(value: &Value) -> bool {
    let Value::Struct(fields) = value else {
        return false;
    };
    fields.last().is_some_and(|last| {
        let open = last.ty.ends_with("[]") || last.ty.ends_with("[0]");
        match &last.value {
            Value::Array(all) => open && !all.is_empty(),
            Value::Text(bytes) | Value::Bytes(bytes) => open && !bytes.is_empty(),
            other => is_flexible(other),
        }
    })
}

/// Whether a maker can make `object`.
pub fn is_made(object: &Object) -> bool {
    object.count.is_none()
        && matches!(object.value, Value::Struct(_))
        && !is_flexible(&object.value)
}

pub fn is_zero(value: &Value) -> bool {
    match value {
        Value::Integer(number) => *number == 0,
        Value::Single(number) => number.to_bits() == 0,
        Value::Double(number) => number.to_bits() == 0,
        Value::Named(name) => name == "false",
        Value::Null => true,
        Value::Text(bytes) | Value::Bytes(bytes) => bytes.iter().all(|b| *b == 0),
        Value::Struct(fields) => fields.iter().all(|field| is_zero(&field.value)),
        Value::Union(field) => is_zero(&field.value),
        Value::Array(all) => all.iter().all(is_zero),
        Value::Pointer { .. } | Value::Result(_) | Value::Elsewhere => false,
    }
}

/// A maker for every type of struct that `behaviours` begin with. A member is a parameter when it
/// is not zero in at least one of them.
pub fn makers(behaviours: &[&Behaviour], names: &mut Names, cpp: bool) -> Vec<Maker> {
    let mut found: Vec<Maker> = Vec::new();
    for object in behaviours.iter().flat_map(|b| &b.before.objects) {
        if !is_made(object) || type_name(&object.ty, cpp).is_err() {
            continue;
        }
        let ty = plain(&object.ty);
        let at = found
            .iter()
            .position(|maker| maker.ty == ty)
            .unwrap_or_else(|| {
                found.push(Maker {
                    ty,
                    function: String::new(),
                    parameters: Vec::new(),
                });
                found.len() - 1
            });
        collect(
            &object.value,
            &mut Vec::new(),
            &mut found[at].parameters,
            cpp,
        );
    }
    for maker in &mut found {
        maker.function = names.pick(&format!("make_{}", noun(&maker.ty)));
        if maker.parameters.len() > PARAMETERS {
            maker.parameters.clear();
        }
        // In the order of the struct's members, which the first object shows.
        let order = behaviours
            .iter()
            .flat_map(|b| &b.before.objects)
            .find(|object| is_made(object) && plain(&object.ty) == maker.ty)
            .map(|object| leaves(&object.value))
            .unwrap_or_default();
        maker.parameters.sort_by_key(|parameter| {
            order
                .iter()
                .position(|path| *path == parameter.path)
                .unwrap_or(order.len())
        });
        let mut own = names.clone();
        for parameter in &mut maker.parameters {
            let last = parameter.path.last().map_or("", String::as_str);
            parameter.name = if own.is_free(last) {
                own.pick(last)
            } else {
                own.pick(&parameter.path.join("_"))
            };
        }
    }
    found
}

fn leaves(value: &Value) -> Vec<Vec<String>> {
    fn walk(value: &Value, path: &mut Vec<String>, out: &mut Vec<Vec<String>>) {
        let Value::Struct(fields) = value else {
            out.push(path.clone());
            return;
        };
        for field in fields {
            let named = !field.name.is_empty();
            if named {
                path.push(field.name.clone());
            }
            walk(&field.value, path, out);
            if named {
                path.pop();
            }
        }
    }
    let mut out = Vec::new();
    walk(value, &mut Vec::new(), &mut out);
    out
}

fn collect(value: &Value, path: &mut Vec<String>, out: &mut Vec<Parameter>, cpp: bool) {
    let Value::Struct(fields) = value else { return };
    for field in fields {
        let named = !field.name.is_empty();
        if named {
            path.push(field.name.clone());
        }
        match &field.value {
            inner @ Value::Struct(_) => collect(inner, path, out, cpp),
            value if is_zero(value) || out.iter().any(|known| known.path == *path) => {}
            value => {
                let text = matches!(value, Value::Text(_));
                let fits = match value {
                    Value::Text(bytes) => {
                        string_in(bytes).is_some() && field.ty.starts_with("char")
                    }
                    Value::Array(_) | Value::Union(_) | Value::Bytes(_) => false,
                    _ => !is_constant(field),
                };
                if fits && declare(&field.ty, "x", cpp).is_ok() {
                    out.push(Parameter {
                        path: path.clone(),
                        ty: field.ty.clone(),
                        text,
                        name: String::new(),
                    });
                }
            }
        }
        if named {
            path.pop();
        }
    }
}

/// Whether a member cannot be assigned to.
pub fn is_constant(field: &Field) -> bool {
    let last = field.ty.rsplit('*').next().unwrap_or_default();
    super::spell::words(last).any(|word| word == "const")
}

impl Maker {
    /// What the maker sets in `value`, parameter by parameter.
    pub fn arguments<'a>(&self, value: &'a Value) -> Vec<Option<&'a Value>> {
        let find = |parameter: &Parameter| {
            parameter
                .path
                .iter()
                .try_fold(value, |value, name| member(value, name))
        };
        self.parameters.iter().map(find).collect()
    }

    /// The function's text.
    pub fn text(&self, names: &Names, cpp: bool) -> Spelled<String> {
        let mut own = names.clone();
        let mut parameters = Vec::new();
        for parameter in &self.parameters {
            own.pick(&parameter.name);
            parameters.push(if parameter.text {
                format!("const char *{}", parameter.name)
            } else {
                declare(&parameter.ty, &parameter.name, cpp)?
            });
        }
        if parameters.is_empty() {
            let head = declare(&self.ty, &format!("*{}(void)", self.function), cpp)?;
            let (ty, pointer) = (type_name(&self.ty, cpp)?, declare(&self.ty, "*", cpp)?);
            let new = if cpp {
                format!("static_cast<{pointer}>(allocate(sizeof({ty})))")
            } else {
                format!("allocate(sizeof({ty}))")
            };
            return Ok(format!("static {head}\n{{\n    return {new};\n}}\n"));
        }
        let wanted = noun(&self.ty);
        let made = if own.is_free(&wanted) {
            &wanted
        } else {
            "made"
        };
        let made = own.pick(made);
        let parameters = parameters.join(", ");
        let head = declare(&self.ty, &format!("*{}({parameters})", self.function), cpp)?;
        let declared = declare(&self.ty, &format!("*{made}"), cpp)?;
        let pointer = declare(&self.ty, "*", cpp)?;
        let new = if cpp {
            format!("static_cast<{pointer}>(allocate(sizeof *{made}))")
        } else {
            format!("allocate(sizeof *{made})")
        };
        let mut out = format!("static {head}\n{{\n    {declared} = {new};\n\n");
        for parameter in &self.parameters {
            let path = parameter.path.join(".");
            let name = &parameter.name;
            let _ = if parameter.text {
                writeln!(out, "    strcpy({made}->{path}, {name});")
            } else {
                writeln!(out, "    {made}->{path} = {name};")
            };
        }
        let _ = write!(out, "    return {made};\n}}\n");
        Ok(out)
    }
}
