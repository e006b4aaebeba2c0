//! Reads the program from what the machine says of it; what is not plain as an argument is bound to a
//! variable before.

use crate::program::*;
use crate::value::Value;
use crate::value::closure::{FunctionName, LambdaId, Variable};
use rustc_hash::FxHashMap;
use std::sync::Arc;

type Read<T> = Result<T, Misunderstood>;

fn wrong<T>(what: &str, value: &Value) -> Read<T> {
    let mut text = format!("{value:?}");
    if let Some((cut, _)) = text.char_indices().nth(300) {
        text.truncate(cut);
    }
    Err(Misunderstood(format!("{what}: {text}")))
}

fn tuple<'a>(what: &str, value: &'a Value) -> Read<&'a [Value]> {
    value.as_tuple().map_or_else(|| wrong(what, value), Ok)
}

fn list(what: &str, value: &Value) -> Read<Vec<Value>> {
    value.elements().map_or_else(|| wrong(what, value), Ok)
}

fn number(what: &str, value: &Value) -> Read<u32> {
    match value {
        Value::Int(number) => {
            u32::try_from(*number).map_err(|_| Misunderstood(format!("{what}: {number}")))
        }
        _ => wrong(what, value),
    }
}

fn name(what: &str, value: &Value) -> Read<Arc<str>> {
    match value {
        Value::Atom(name) => Ok(name.clone()),
        _ => wrong(what, value),
    }
}

fn truth(what: &str, value: &Value) -> Read<bool> {
    Ok(&*name(what, value)? == "true")
}

fn function_name(value: &Value) -> Read<FunctionName> {
    match tuple("name of a function", value)? {
        [function, arity] => Ok((name("function", function)?, number("arity", arity)?)),
        _ => wrong("name of a function", value),
    }
}

fn triple(value: &Value) -> Read<Mfa> {
    match tuple("function of a module", value)? {
        [m, f, a] => Ok((
            name("module", m)?,
            name("function", f)?,
            number("arity", a)?,
        )),
        _ => wrong("function of a module", value),
    }
}

fn entry<'a>(map: &'a Value, key: &str) -> Read<&'a Value> {
    let found = match map {
        Value::Map(map) => map.entries.get(&crate::value::Key(Value::atom(key))),
        _ => None,
    };
    match found {
        Some(Some(value)) => Ok(value),
        _ => Err(Misunderstood(format!("there is no {key}"))),
    }
}

impl Program {
    /// Reads what was loaded: modules, redirects and primitives.
    pub fn read(modules: &Value, redirects: &Value, primitives: &Value) -> Read<Program> {
        let mut program = Program::default();
        for module in list("modules", modules)? {
            program.module(&module)?;
        }
        for redirect in list("redirects", redirects)? {
            match tuple("redirect", &redirect)? {
                [from, to] => program.redirects.insert(triple(from)?, triple(to)?),
                _ => return wrong("redirect", &redirect),
            };
        }
        for primitive in list("primitives", primitives)? {
            program.primitives.insert(triple(&primitive)?);
        }
        program.atoms.sort();
        program.atoms.dedup();
        Ok(program)
    }

    fn module(&mut self, value: &Value) -> Read<()> {
        let [_, _, module, map] = tuple("module", value)? else {
            return wrong("module", value);
        };
        let module = name("module", module)?;
        let index = self.modules.len();
        let hidden = truth("hidden", entry(map, "hidden")?)?;
        // Copies of the library's modules have names of their own in the machine.
        let module = match entry(map, "target") {
            Ok(target) => name("target", target)?,
            Err(_) => module,
        };
        let mut homes = Vec::new();
        for site in list("sites", entry(map, "sites")?)? {
            let [id, line, column, function, arity, sides, kind] = tuple("site", &site)? else {
                return wrong("site", &site);
            };
            let id = number("site", id)? as usize;
            if id > 10_000_000 {
                return wrong("site", &site);
            }
            if self.sites.len() <= id {
                let empty = Site {
                    module: index,
                    home: usize::MAX,
                    line: 0,
                    column: 0,
                    function: String::new(),
                    sides: 0,
                    decides: false,
                };
                self.sites.resize(id + 1, empty);
            }
            let home = (name("function", function)?, number("arity", arity)?);
            homes.push((id, home));
            self.sites[id] = Site {
                module: index,
                home: usize::MAX,
                line: number("line", line)?,
                column: number("column", column)?,
                function: format!(
                    "{}/{}",
                    name("function", function)?,
                    number("arity", arity)?
                ),
                sides: number("sides", sides)?,
                decides: matches!(kind.as_atom(), Some("case" | "receive")),
            };
        }
        for function in list("functions", entry(map, "functions")?)? {
            let [f, arity, line, parameters, variables, body] = tuple("function", &function)?
            else {
                return wrong("function", &function);
            };
            let id = (name("function", f)?, number("arity", arity)?);
            let place = self.functions.len();
            let mut reader = Reader {
                program: self,
                variables: number("variables", variables)?,
                hidden,
            };
            let body = reader.expr(body)?;
            let variables = reader.variables;
            self.by_name
                .insert((module.clone(), id.0.clone(), id.1), place);
            self.functions.push(Function {
                module: module.clone(),
                name: id,
                line: number("line", line)?,
                parameters: numbers(parameters)?,
                variables,
                body,
                names: FxHashMap::default(),
            });
        }
        for one in list("names", entry(map, "names")?)? {
            let [function, variable, text] = tuple("name", &one)? else {
                return wrong("name", &one);
            };
            let Ok((function, arity)) = function_name(function) else {
                continue;
            };
            if let Some(place) = self.by_name.get(&(module.clone(), function, arity)) {
                let variable = number("variable", variable)?;
                let names = &mut self.functions[*place].names;
                names.insert(variable, name("name", text)?);
            }
        }
        for (site, home) in homes {
            let key = (module.clone(), home.0, home.1);
            self.sites[site].home = self.by_name.get(&key).copied().unwrap_or(usize::MAX);
        }
        let pairs = |what: &str, key: &str| -> Read<Vec<(Value, Value)>> {
            list(what, entry(map, key)?)?
                .iter()
                .map(|pair| match tuple(what, pair)? {
                    [a, b] => Ok((a.clone(), b.clone())),
                    _ => wrong(what, pair),
                })
                .collect()
        };
        let specs = pairs("spec", "specs")?
            .iter()
            .map(|(id, forms)| Ok((function_name(id)?, list("spec", forms)?)))
            .collect::<Read<_>>()?;
        let records = pairs("record", "records")?
            .into_iter()
            .map(|(id, fields)| Ok((name("record", &id)?, fields)))
            .collect::<Read<_>>()?;
        let types = list("types", entry(map, "types")?)?
            .iter()
            .map(|item| match tuple("type", item)? {
                [id, form, parameters, ..] => {
                    let parameters = list("parameters", parameters)?;
                    Ok((name("type", id)?, form.clone(), parameters))
                }
                _ => wrong("type", item),
            })
            .collect::<Read<_>>()?;
        self.modules.push(Module {
            name: module,
            file: text(entry(map, "file")?),
            hidden,
            exports: list("exports", entry(map, "exports")?)?
                .iter()
                .map(function_name)
                .collect::<Read<_>>()?,
            specs,
            types,
            records,
        });
        Ok(())
    }
}

fn numbers(value: &Value) -> Read<Vec<Variable>> {
    list("variables", value)?
        .iter()
        .map(|variable| number("variable", variable))
        .collect()
}

struct Reader<'a> {
    program: &'a mut Program,
    /// Variables so far: where arguments are not plain, more are made.
    variables: u32,
    hidden: bool,
}

impl Reader<'_> {
    fn exprs(&mut self, value: &Value) -> Read<Vec<Expr>> {
        list("expressions", value)?
            .iter()
            .map(|value| self.expr(value))
            .collect()
    }

    /// What can stand as an argument: nothing that calls, decides or fails.
    fn plain(&mut self, expr: Expr, before: &mut Vec<(Variable, Expr)>) -> Expr {
        match expr {
            Expr::Literal(_) | Expr::Variable(_) | Expr::Fun(_) => expr,
            Expr::Cons(head, tail) => {
                let head = self.plain(*head, before);
                Expr::Cons(Box::new(head), Box::new(self.plain(*tail, before)))
            }
            Expr::Tuple(all) => {
                let all = all.into_iter().map(|one| self.plain(one, before));
                Expr::Tuple(all.collect())
            }
            other => {
                let variable = self.variables;
                self.variables += 1;
                before.push((variable, other));
                Expr::Variable(variable)
            }
        }
    }

    /// `make` of plain expressions; what is not plain is bound to variables before.
    fn flat(&mut self, all: Vec<Expr>, make: impl FnOnce(Vec<Expr>) -> Expr) -> Expr {
        let mut before = Vec::new();
        let all = all
            .into_iter()
            .map(|one| self.plain(one, &mut before))
            .collect();
        let inner = make(all);
        before
            .into_iter()
            .rev()
            .fold(inner, |inner, (variable, expr)| {
                Expr::Let(vec![variable], Box::new(expr), Box::new(inner))
            })
    }

    fn lambda(&mut self, parameters: &Value, body: &Value) -> Read<LambdaId> {
        let body = self.expr(body)?;
        let id = LambdaId(self.program.lambdas.len() as u32);
        self.program.lambdas.push(Lambda {
            parameters: numbers(parameters)?,
            body,
        });
        Ok(id)
    }

    fn boxed(&mut self, value: &Value) -> Read<Box<Expr>> {
        Ok(Box::new(self.expr(value)?))
    }

    fn expr(&mut self, value: &Value) -> Read<Expr> {
        let parts = tuple("expression", value)?;
        let Some((kind, rest)) = parts.split_first() else {
            return wrong("expression", value);
        };
        let kind = name("expression", kind)?;
        Ok(match (&*kind, rest) {
            ("lit", [term]) => {
                self.mention(term);
                Expr::Literal(term.clone())
            }
            ("var", [variable]) => Expr::Variable(number("variable", variable)?),
            ("cons", [head, tail]) => {
                let all = vec![self.expr(head)?, self.expr(tail)?];
                self.flat(all, |mut all| {
                    let tail = all.pop().expect("there are two");
                    let head = all.pop().expect("there are two");
                    Expr::Cons(Box::new(head), Box::new(tail))
                })
            }
            ("tuple", [all]) => {
                let all = self.exprs(all)?;
                self.flat(all, Expr::Tuple)
            }
            ("values", [all]) => {
                let all = self.exprs(all)?;
                self.flat(all, Expr::Values)
            }
            ("map", [base, pairs]) => {
                let mut all = vec![self.expr(base)?];
                let mut exact = Vec::new();
                for pair in list("pairs", pairs)? {
                    let [op, key, value] = tuple("pair", &pair)? else {
                        return wrong("pair", &pair);
                    };
                    exact.push(&*name("pair", op)? == "exact");
                    all.push(self.expr(key)?);
                    all.push(self.expr(value)?);
                }
                self.flat(all, |all| {
                    let mut all = all.into_iter();
                    let base = all.next().expect("the base comes first");
                    let mut next = || all.next().expect("as many as were put in");
                    let pairs = exact.iter().map(|exact| (*exact, next(), next())).collect();
                    Expr::Map(Box::new(base), pairs)
                })
            }
            ("bin", [segments]) => {
                let segments = self.segments(segments, Reader::expr)?;
                let mut before = Vec::new();
                let segments = segments
                    .into_iter()
                    .map(|segment| Segment {
                        value: self.plain(segment.value, &mut before),
                        size: self.plain(segment.size, &mut before),
                        ..segment
                    })
                    .collect();
                let inner = Expr::Binary(segments);
                before
                    .into_iter()
                    .rev()
                    .fold(inner, |inner, (variable, expr)| {
                        Expr::Let(vec![variable], Box::new(expr), Box::new(inner))
                    })
            }
            ("let", [variables, first, then]) => {
                let first = self.boxed(first)?;
                Expr::Let(numbers(variables)?, first, self.boxed(then)?)
            }
            ("seq", [first, then]) => Expr::Seq(self.boxed(first)?, self.boxed(then)?),
            ("case", [site, silent, arguments, clauses]) => {
                let arguments = self.exprs(arguments)?;
                let site = number("site", site)?;
                let silent = truth("silent", silent)?;
                let clauses = self.clauses(site, clauses)?;
                self.flat(arguments, |arguments| {
                    Expr::Case(Box::new(Case {
                        site,
                        silent,
                        arguments,
                        clauses,
                    }))
                })
            }
            ("local", [site, function, arguments]) => {
                number("site", site)?;
                let function = function_name(function)?;
                let all = self.exprs(arguments)?;
                self.flat(all, |all| Expr::Local(function, all))
            }
            ("apply", [site, function, arguments]) => {
                let site = number("site", site)?;
                let mut all = vec![self.expr(function)?];
                all.extend(self.exprs(arguments)?);
                self.flat(all, |mut all| {
                    let function = all.remove(0);
                    Expr::Apply(site, Box::new(function), all)
                })
            }
            ("call", [site, module, function, arguments]) => {
                let site = number("site", site)?;
                let mut all = vec![self.expr(module)?, self.expr(function)?];
                all.extend(self.exprs(arguments)?);
                self.flat(all, |mut all| {
                    let rest = all.split_off(2);
                    let function = all.pop().expect("there are two");
                    let module = all.pop().expect("there are two");
                    Expr::Call(site, Box::new(module), Box::new(function), rest)
                })
            }
            ("primop", [site, operation, arguments]) => {
                let (site, operation) = (number("site", site)?, name("primop", operation)?);
                let all = self.exprs(arguments)?;
                self.flat(all, |all| Expr::Primop(site, operation, all))
            }
            ("fun", [_, parameters, body, ..]) => Expr::Fun(self.lambda(parameters, body)?),
            ("letrec", [functions, body]) => {
                let mut all = Vec::new();
                for function in list("functions", functions)? {
                    let [id, parameters, body] = tuple("function", &function)? else {
                        return wrong("function", &function);
                    };
                    all.push((function_name(id)?, self.lambda(parameters, body)?));
                }
                Expr::Letrec(all, self.boxed(body)?)
            }
            ("try", [body, variables, then, caught, handler]) => Expr::Try(Box::new(Try {
                body: self.expr(body)?,
                variables: numbers(variables)?,
                then: self.expr(then)?,
                caught: numbers(caught)?,
                handler: self.expr(handler)?,
            })),
            ("catch", [body]) => Expr::Catch(self.boxed(body)?),
            ("receive", [site, clauses, timeout, late]) => {
                let site = number("site", site)?;
                let clauses = self.clauses(site, clauses)?;
                // How long it waits is no choice of the program's.
                self.expr(timeout)?;
                Expr::Receive(Box::new(Receive {
                    site,
                    clauses,
                    late: self.expr(late)?,
                }))
            }
            _ => return wrong("expression", value),
        })
    }

    fn clauses(&mut self, site: u32, clauses: &Value) -> Read<Vec<Clause>> {
        let mut all = Vec::new();
        for (index, clause) in list("clauses", clauses)?.iter().enumerate() {
            let [id, patterns, guard, body, _line, generated] = tuple("clause", clause)? else {
                return wrong("clause", clause);
            };
            let id = number("clause", id)?;
            self.program.clauses.insert(id, (site, index as u32));
            let patterns = list("patterns", patterns)?
                .iter()
                .map(|pattern| self.pattern(pattern))
                .collect::<Read<_>>()?;
            all.push(Clause {
                patterns,
                guard: self.expr(guard)?,
                body: self.expr(body)?,
                generated: truth("generated", generated)?,
            });
        }
        // What the compiler adds for values that no clause takes is no way out that people wrote.
        if let Some(site) = self.program.sites.get_mut(site as usize) {
            let written = all.iter().filter(|clause: &&Clause| !clause.generated);
            site.sides = written.count() as u32;
        }
        Ok(all)
    }

    fn segments<T>(
        &mut self,
        segments: &Value,
        read: fn(&mut Self, &Value) -> Read<T>,
    ) -> Read<Vec<Segment<T>>> {
        let mut all = Vec::new();
        for segment in list("segments", segments)? {
            let [value, size, unit, kind, flags] = tuple("segment", &segment)? else {
                return wrong("segment", &segment);
            };
            let flags = list("flags", flags)?;
            let flag = |name: &str| flags.iter().any(|flag| flag.is_atom(name));
            all.push(Segment {
                value: read(self, value)?,
                size: self.expr(size)?,
                unit: match unit {
                    Value::Int(unit) => *unit as u32,
                    _ => 1,
                },
                kind: name("segment", kind)?,
                signed: flag("signed"),
                // The machine's own order is that of what it runs on.
                little: flag("little") || (flag("native") && cfg!(target_endian = "little")),
            });
        }
        Ok(all)
    }

    fn pattern(&mut self, value: &Value) -> Read<Pattern> {
        let parts = tuple("pattern", value)?;
        let Some((kind, rest)) = parts.split_first() else {
            return wrong("pattern", value);
        };
        let kind = name("pattern", kind)?;
        Ok(match (&*kind, rest) {
            ("lit", [term]) => {
                self.mention(term);
                Pattern::Literal(term.clone())
            }
            ("var", [variable]) => Pattern::Variable(number("variable", variable)?),
            ("cons", [head, tail]) => {
                Pattern::Cons(Box::new(self.pattern(head)?), Box::new(self.pattern(tail)?))
            }
            ("tuple", [all]) => Pattern::Tuple(
                list("patterns", all)?
                    .iter()
                    .map(|one| self.pattern(one))
                    .collect::<Read<_>>()?,
            ),
            ("map", [pairs]) => {
                let mut all = Vec::new();
                for pair in list("pairs", pairs)? {
                    let [key, pattern] = tuple("pair", &pair)? else {
                        return wrong("pair", &pair);
                    };
                    all.push((self.expr(key)?, self.pattern(pattern)?));
                }
                Pattern::Map(all)
            }
            ("bin", [segments]) => Pattern::Binary(self.segments(segments, Reader::pattern)?),
            ("alias", [variable, pattern]) => Pattern::Alias(
                number("variable", variable)?,
                Box::new(self.pattern(pattern)?),
            ),
            _ => return wrong("pattern", value),
        })
    }

    /// Remembers the atoms of the program's own code, of which inputs are made.
    fn mention(&mut self, value: &Value) {
        if self.hidden {
            return;
        }
        match value {
            Value::Big(value) => self.program.widest = self.program.widest.max(value.bits() as u32),
            Value::Atom(name) => self.program.atoms.push(name.clone()),
            Value::Cons(pair) => {
                self.mention(&pair.head);
                self.mention(&pair.tail);
            }
            Value::Tuple(tuple) => tuple.elements.iter().for_each(|one| self.mention(one)),
            _ => {}
        }
    }
}
