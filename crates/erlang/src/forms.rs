//! Types from their abstract forms, as `-spec` and `-type` leave them.

use crate::program::{Module, Program};
use crate::types::{ANY, NIL, NONE, Signature, Type, TypeId, Types};
use crate::value::Value;
use crate::value::closure::FunctionName;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::sync::Arc;

type Variables = FxHashMap<Arc<str>, TypeId>;

struct Scope<'a> {
    program: &'a Program,
    module: &'a Module,
    variables: Variables,
}

impl Types {
    /// What the specification of a function says; one signature for each of its overloads.
    pub fn signatures(
        &mut self,
        program: &Program,
        module: &Module,
        function: &FunctionName,
    ) -> Vec<Signature> {
        let Some((_, forms)) = module.specs.iter().find(|(name, _)| name == function) else {
            return Vec::new();
        };
        forms
            .iter()
            .filter_map(|form| self.signature(program, module, form))
            .filter(|signature| signature.parameters.len() == function.1 as usize)
            .collect()
    }

    fn signature(&mut self, program: &Program, module: &Module, form: &Value) -> Option<Signature> {
        let [_, _, kind, parts] = form.as_tuple()? else {
            return None;
        };
        let parts = parts.elements()?;
        let mut scope = Scope {
            program,
            module,
            variables: Variables::default(),
        };
        let function = match kind.as_atom()? {
            "fun" => form.clone(),
            "bounded_fun" => {
                // `when T :: integer()`: each variable once, those that it needs before it or not.
                let constraints = parts.get(1)?.elements()?;
                for _ in 0..2 {
                    for constraint in &constraints {
                        let inner = constraint.as_tuple()?.get(3)?.elements()?;
                        let pair = inner.get(1)?.elements()?;
                        let name = pair.first()?.as_tuple()?.get(2)?.as_atom()?;
                        let bound = self.form(&mut scope, pair.get(1)?, 0);
                        scope.variables.insert(Arc::from(name), bound);
                    }
                }
                parts.first()?.clone()
            }
            _ => return None,
        };
        let parts = function.as_tuple()?.get(3)?.elements()?;
        let parameters = parts.first()?.as_tuple()?.get(3)?.elements()?;
        Some(Signature {
            parameters: parameters
                .iter()
                .map(|parameter| self.form(&mut scope, parameter, 0))
                .collect(),
            result: self.form(&mut scope, parts.get(1)?, 0),
        })
    }

    /// The type of an abstract form; what is not understood is any.
    fn form(&mut self, scope: &mut Scope<'_>, form: &Value, depth: u32) -> TypeId {
        if depth > 64 {
            return ANY;
        }
        self.understood(scope, form, depth).unwrap_or(ANY)
    }

    fn understood(&mut self, scope: &mut Scope<'_>, form: &Value, depth: u32) -> Option<TypeId> {
        let parts = form.as_tuple()?;
        let kind = parts.first()?.as_atom()?;
        Some(match (kind, &parts[2.min(parts.len())..]) {
            ("ann_type", [pair]) => {
                let pair = pair.elements()?;
                self.form(scope, pair.get(1)?, depth)
            }
            ("paren_type", [inner]) => {
                let inner = inner.elements()?;
                self.form(scope, inner.first()?, depth)
            }
            ("atom", [name]) => self.add(Type::Atom(Some(Arc::from(name.as_atom()?)))),
            ("integer" | "char", _) | ("op", _) => {
                let value = integer_form(form)?;
                self.add(Type::Integer(Some(value.clone()), Some(value)))
            }
            ("var", [name]) => {
                let found = scope.variables.get(name.as_atom()?);
                found.copied().unwrap_or(ANY)
            }
            ("type", [name, arguments]) => {
                let name = name.as_atom()?;
                let arguments = arguments.elements().unwrap_or_default();
                self.built_in(scope, name, &arguments, depth)?
            }
            ("user_type", [name, arguments]) => {
                let module = scope.module.name.clone();
                self.user(scope, &module, name, arguments, depth)?
            }
            ("remote_type", [parts]) => {
                let parts = parts.elements()?;
                let [module, name, arguments] = parts.as_slice() else {
                    return None;
                };
                let module: Arc<str> = Arc::from(module.as_tuple()?.get(2)?.as_atom()?);
                let name = name.as_tuple()?.get(2)?.clone();
                self.remote(scope, &module, &name, arguments, depth)?
            }
            _ => return None,
        })
    }

    /// A type of another module: those of libraries that are not loaded are known by name.
    fn remote(
        &mut self,
        scope: &mut Scope<'_>,
        module: &Arc<str>,
        name: &Value,
        arguments: &Value,
        depth: u32,
    ) -> Option<TypeId> {
        if let Some(found) = self.user(scope, module, name, arguments, depth) {
            return Some(found);
        }
        Some(match (&**module, name.as_atom()?) {
            ("Elixir.String", "t") => self.add(Type::Binary(0, 8)),
            ("Elixir.Keyword", "t") => {
                let value = match arguments.elements()?.first() {
                    Some(form) => self.form(scope, form, depth + 1),
                    None => ANY,
                };
                let key = self.add(Type::Atom(None));
                let pair = self.add(Type::Tuple(Some(vec![key, value])));
                self.list(pair, false)
            }
            ("string" | "unicode", "charlist") => {
                let char = self.integer(Some(0), Some(0x10ffff));
                self.list(char, false)
            }
            _ => return None,
        })
    }

    fn user(
        &mut self,
        scope: &mut Scope<'_>,
        module: &Arc<str>,
        name: &Value,
        arguments: &Value,
        depth: u32,
    ) -> Option<TypeId> {
        let arguments: Vec<TypeId> = arguments
            .elements()?
            .iter()
            .map(|argument| self.form(scope, argument, depth + 1))
            .collect();
        let name: Arc<str> = Arc::from(name.as_atom()?);
        let key = (module.clone(), name.clone(), arguments.clone());
        if let Some(found) = self.named.get(&key) {
            return Some(*found);
        }
        let home = scope
            .program
            .modules
            .iter()
            .find(|home| home.name == *module)?;
        let (_, form, parameters) = home
            .types
            .iter()
            .find(|(other, _, given)| *other == name && given.len() == arguments.len())?;
        // A place for it first: it may mention itself.
        let id = self.add(Type::Union(Vec::new()));
        self.named.insert(key, id);
        let variables = parameters
            .iter()
            .zip(arguments)
            .filter_map(|(parameter, argument)| {
                let name = parameter.as_tuple()?.get(2)?.as_atom()?;
                Some((Arc::from(name), argument))
            })
            .collect();
        let mut inner = Scope {
            program: scope.program,
            module: home,
            variables,
        };
        let meant = self.form(&mut inner, form, depth + 1);
        self.types[id.0 as usize] = Type::Union(vec![meant]);
        Some(id)
    }

    fn built_in(
        &mut self,
        scope: &mut Scope<'_>,
        name: &str,
        arguments: &[Value],
        depth: u32,
    ) -> Option<TypeId> {
        let mut inner = |types: &mut Types, index: usize| match arguments.get(index) {
            Some(form) => types.form(scope, form, depth + 1),
            None => ANY,
        };
        Some(match name {
            "any" | "term" | "dynamic" => ANY,
            "none" | "no_return" => NONE,
            "integer" => self.integer(None, None),
            "non_neg_integer" => self.integer(Some(0), None),
            "pos_integer" => self.integer(Some(1), None),
            "neg_integer" => self.integer(None, Some(-1)),
            "byte" => self.integer(Some(0), Some(255)),
            "arity" => self.integer(Some(0), Some(255)),
            "char" => self.integer(Some(0), Some(0x10ffff)),
            "range" => {
                let low = integer_form(arguments.first()?)?;
                let high = integer_form(arguments.get(1)?)?;
                self.add(Type::Integer(Some(low), Some(high)))
            }
            "float" => self.add(Type::Float),
            "number" => {
                let members = vec![self.integer(None, None), self.add(Type::Float)];
                self.union(members)
            }
            "atom" | "module" | "node" => self.add(Type::Atom(None)),
            "boolean" | "bool" => {
                let members = ["false", "true"].map(|name| self.add(Type::Atom(Some(name.into()))));
                self.union(members.to_vec())
            }
            "timeout" => {
                let members = vec![
                    self.integer(Some(0), None),
                    self.add(Type::Atom(Some("infinity".into()))),
                ];
                self.union(members)
            }
            "nil" => NIL,
            "list" | "nonempty_list" => {
                let element = inner(self, 0);
                self.list(element, name.starts_with("nonempty"))
            }
            "maybe_improper_list" | "nonempty_maybe_improper_list" | "nonempty_improper_list" => {
                let element = inner(self, 0);
                let end = inner(self, 1);
                let end = match name {
                    "nonempty_improper_list" => end,
                    _ => self.union(vec![NIL, end]),
                };
                self.list_ending(element, end, name.starts_with("nonempty"))
            }
            "string" | "nonempty_string" => {
                let char = self.integer(Some(0), Some(0x10ffff));
                self.list(char, name.starts_with("nonempty"))
            }
            "mfa" => {
                let atom = self.add(Type::Atom(None));
                let arity = self.integer(Some(0), Some(255));
                self.add(Type::Tuple(Some(vec![atom, atom, arity])))
            }
            "tuple" => match form_is_any(arguments) {
                true => self.add(Type::Tuple(None)),
                false => {
                    let all = (0..arguments.len()).map(|at| inner(self, at)).collect();
                    self.add(Type::Tuple(Some(all)))
                }
            },
            "map" => match form_is_any(arguments) {
                true => self.add(Type::Map(None)),
                false => {
                    let mut pairs = Vec::new();
                    for pair in arguments {
                        let parts = pair.as_tuple()?;
                        let sides = parts.get(3)?.elements()?;
                        let required = parts.get(2)?.is_atom("map_field_exact");
                        let key = self.form(scope, sides.first()?, depth + 1);
                        let value = self.form(scope, sides.get(1)?, depth + 1);
                        pairs.push((key, value, required));
                    }
                    self.add(Type::Map(Some(pairs)))
                }
            },
            "record" => {
                let name = arguments.first()?.as_tuple()?.get(2)?.as_atom()?;
                self.record(scope, name, depth)?
            }
            "binary" if arguments.len() == 2 => {
                let size = |at: usize| {
                    let value = integer_form(&arguments[at])?;
                    usize::try_from(value).ok()
                };
                self.add(Type::Binary(size(0)?, size(1)?))
            }
            "binary" => self.add(Type::Binary(0, 8)),
            "nonempty_binary" => self.add(Type::Binary(8, 8)),
            "bitstring" => self.add(Type::Binary(0, 1)),
            "iodata" | "iolist" => {
                let byte = self.integer(Some(0), Some(255));
                let binary = self.add(Type::Binary(0, 8));
                // It contains itself.
                let list = self.add(Type::Union(Vec::new()));
                let element = self.union(vec![byte, binary, list]);
                let end = self.union(vec![NIL, binary]);
                let meant = self.list_ending(element, end, false);
                self.types[list.0 as usize] = Type::Union(vec![meant]);
                match name {
                    "iodata" => self.union(vec![list, binary]),
                    _ => list,
                }
            }
            "fun" | "function" => match arguments {
                [product, _]
                    if product
                        .as_tuple()?
                        .get(2)
                        .is_some_and(|of| of.is_atom("product")) =>
                {
                    let arity = product.as_tuple()?.get(3)?.elements()?.len();
                    let result = inner(self, 1);
                    self.add(Type::Fun(Some((arity as u32, result))))
                }
                _ => self.add(Type::Fun(None)),
            },
            "union" => {
                let members = (0..arguments.len()).map(|at| inner(self, at)).collect();
                self.union(members)
            }
            "pid" => self.add(Type::Pid),
            "port" => self.add(Type::Port),
            "reference" => self.add(Type::Reference),
            "identifier" => {
                let members = [Type::Pid, Type::Port, Type::Reference].map(|kind| self.add(kind));
                self.union(members.to_vec())
            }
            _ => return None,
        })
    }

    fn record(&mut self, scope: &mut Scope<'_>, name: &str, depth: u32) -> Option<TypeId> {
        let key = (
            scope.module.name.clone(),
            Arc::from(format!("#{name}")),
            Vec::new(),
        );
        if let Some(found) = self.named.get(&key) {
            return Some(*found);
        }
        let module = scope.module;
        let (_, fields) = module.records.iter().find(|(other, _)| &**other == name)?;
        let id = self.add(Type::Union(Vec::new()));
        self.named.insert(key, id);
        let mut elements = vec![self.add(Type::Atom(Some(Arc::from(name))))];
        for field in fields.elements()? {
            let parts = field.as_tuple()?;
            // {typed_record_field, {record_field, …}, Type}
            elements.push(match parts.first()?.as_atom()? {
                "typed_record_field" => self.form(scope, parts.get(2)?, depth + 1),
                _ => ANY,
            });
        }
        let tuple = self.add(Type::Tuple(Some(elements)));
        self.types[id.0 as usize] = Type::Union(vec![tuple]);
        Some(id)
    }
}

/// `tuple()` and `map()` have the atom `any` for their arguments, which is no list.
fn form_is_any(arguments: &[Value]) -> bool {
    arguments.is_empty()
}

fn integer_form(form: &Value) -> Option<BigInt> {
    let parts = form.as_tuple()?;
    match (parts.first()?.as_atom()?, &parts[2..]) {
        ("integer" | "char", [value]) => value.as_big(),
        ("op", [op, inner]) if op.is_atom("-") => Some(-integer_form(inner)?),
        ("op", [op, a, b]) => {
            let (a, b) = (integer_form(a)?, integer_form(b)?);
            Some(match op.as_atom()? {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                "div" if b != BigInt::ZERO => a / b,
                "rem" if b != BigInt::ZERO => a % b,
                "bsl" => a << usize::try_from(b).ok()?,
                "bsr" => a >> usize::try_from(b).ok()?,
                _ => return None,
            })
        }
        _ => None,
    }
}
