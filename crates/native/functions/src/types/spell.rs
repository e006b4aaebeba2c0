//! Types as C text: names of types, and declarations.
//!
//! C writes a declaration around the name that it declares: pointers before it, arrays and
//! functions after it, parentheses where the former is inside the latter. So a declaration grows
//! from the name outwards, while the type is followed from the outermost part inwards.

use super::{Function, Kind, Qualifier, TypeId, Types};

impl Types {
    /// The type's name: `struct node *`, `int [4]`, `int (*)(void *)`. None when some part of it
    /// has no name that a file that includes the source can use: `__typeof__` is left then.
    pub fn spell(&self, id: TypeId) -> Option<String> {
        self.declare(id, "")
    }

    /// A declaration without its semicolon: `struct node *next`, `int a[4]`,
    /// `int (*f)(void *, const void *)`.
    pub fn declare(&self, id: TypeId, name: &str) -> Option<String> {
        self.declaration(Some(id), name, false)
    }

    /// A declaration of a variable that can be assigned to: without the outermost `const`, whether
    /// it is the variable's or that of an array's elements, and without `restrict`.
    pub fn declare_mutable(&self, id: TypeId, name: &str) -> Option<String> {
        self.declaration(Some(id), name, true)
    }

    /// The function's declaration, with names for all its parameters: `int f(int a, char *p1)`.
    pub fn prototype(&self, function: &Function) -> Option<String> {
        let mut list = Vec::new();
        for (number, parameter) in function.parameters.iter().enumerate() {
            let name = parameter.name.clone().unwrap_or(format!("p{number}"));
            list.push(self.declare(parameter.ty, &name)?);
        }
        let mut declarator = Declarator::new(&function.name);
        declarator.call(list, function.variadic, function.prototyped);
        self.around(declarator, function.returns, false)
    }

    fn declaration(&self, id: Option<TypeId>, name: &str, mutable: bool) -> Option<String> {
        self.around(Declarator::new(name), id, mutable)
    }

    fn around(&self, declarator: Declarator, id: Option<TypeId>, mutable: bool) -> Option<String> {
        let mut declarator = declarator;
        let mut qualifiers = Vec::new();
        // Only as far as the value itself goes: what it points to keeps its qualifiers.
        let mut mutable = mutable;
        let mut next = id;
        loop {
            let Some(id) = next else {
                return Some(declarator.with_base("void", &qualifiers));
            };
            match self.kind(id) {
                Kind::Qualified { qualifier, to } => {
                    let dropped = matches!(qualifier, Qualifier::Const | Qualifier::Restrict);
                    if !(mutable && dropped) {
                        qualifiers.push(*qualifier);
                    }
                    next = *to;
                }
                Kind::Pointer { to } => {
                    declarator.point(&qualifiers);
                    qualifiers.clear();
                    mutable = false;
                    next = *to;
                }
                Kind::Array { of, count } => {
                    let count = count.map(|count| count.to_string()).unwrap_or_default();
                    declarator.suffix(&format!("[{count}]"));
                    // An array is qualified through its elements.
                    next = Some(*of);
                }
                Kind::Function {
                    returns,
                    parameters,
                    variadic,
                    prototyped,
                } => {
                    let list: Option<Vec<String>> =
                        parameters.iter().map(|id| self.spell(*id)).collect();
                    declarator.call(list?, *variadic, *prototyped);
                    qualifiers.clear();
                    mutable = false;
                    next = *returns;
                }
                Kind::Typedef { name, to } => {
                    if mutable && (self.is_const(id) || self.is_restrict(id)) {
                        next = *to;
                        continue;
                    }
                    let visible = !self.get(id).local;
                    return visible.then(|| declarator.with_base(name, &qualifiers));
                }
                _ => {
                    let base = self.base(id)?;
                    return Some(declarator.with_base(&base, &qualifiers));
                }
            }
        }
    }

    fn is_restrict(&self, id: TypeId) -> bool {
        let mut next = Some(id);
        while let Some(id) = next {
            next = match self.kind(id) {
                Kind::Qualified {
                    qualifier: Qualifier::Restrict,
                    ..
                } => return true,
                Kind::Typedef { to, .. } | Kind::Qualified { to, .. } => *to,
                Kind::Array { of, .. } => Some(*of),
                _ => None,
            };
        }
        false
    }

    /// The name of a type that is no declarator.
    fn base(&self, id: TypeId) -> Option<String> {
        let ty = self.get(id);
        let (keyword, name) = match &ty.kind {
            Kind::Integer { name, .. } | Kind::Float { name } => return Some(name.clone()),
            Kind::Bool => return Some("_Bool".to_string()),
            Kind::Enum { name, .. } => ("enum", name),
            Kind::Struct { name, .. } => ("struct", name),
            Kind::Union { name, .. } => ("union", name),
            Kind::Opaque { name, keyword } => (*keyword, name),
            _ => return None,
        };
        if ty.local {
            return None;
        }
        match (name, ty.alias) {
            (Some(name), _) => Some(format!("{keyword} {name}")),
            (None, Some(alias)) => self.spell(alias),
            (None, None) => None,
        }
    }
}

/// The part of a declaration that stands around the declared name.
struct Declarator {
    text: String,
    /// It begins with a `*`, which binds less than what is written behind it.
    prefixed: bool,
}

impl Declarator {
    fn new(name: &str) -> Declarator {
        Declarator {
            text: name.to_string(),
            prefixed: false,
        }
    }

    fn call(&mut self, parameters: Vec<String>, variadic: bool, prototyped: bool) {
        let mut list = parameters;
        if variadic {
            list.push("...".to_string());
        }
        if list.is_empty() && prototyped {
            list.push("void".to_string());
        }
        self.suffix(&format!("({})", list.join(", ")));
    }

    fn point(&mut self, qualifiers: &[Qualifier]) {
        let words = words(qualifiers);
        let space = match words.is_empty() || self.text.is_empty() {
            true => "",
            false => " ",
        };
        self.text = format!("*{words}{space}{}", self.text);
        self.prefixed = true;
    }

    fn suffix(&mut self, suffix: &str) {
        self.text = match self.prefixed {
            true => format!("({}){suffix}", self.text),
            false => format!("{}{suffix}", self.text),
        };
        self.prefixed = false;
    }

    fn with_base(&self, base: &str, qualifiers: &[Qualifier]) -> String {
        let mut out = words(qualifiers);
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(base);
        if !self.text.is_empty() {
            out.push(' ');
            out.push_str(&self.text);
        }
        out
    }
}

fn words(qualifiers: &[Qualifier]) -> String {
    let word = |qualifier: &Qualifier| match qualifier {
        Qualifier::Const => "const",
        Qualifier::Volatile => "volatile",
        // The word that every standard of C knows.
        Qualifier::Restrict => "__restrict",
        Qualifier::Atomic => "_Atomic",
    };
    let words: Vec<&str> = qualifiers.iter().map(word).collect();
    words.join(" ")
}
