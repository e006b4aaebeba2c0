//! The C types, functions and globals of a source, as the compiler describes them in the debug
//! information of its object.
//!
//! [`Types::read`] reads an object that was compiled with [`FLAGS`]; [`Types::declare`] spells what
//! was read so that a file that includes the source can say it again; [`reach`] tells what a function
//! of the object needs, [`lengths`] which of its parameters are arrays and how long they are.
//!
//! What a source declares (functions, globals, types with their layout) is read from the debug information
//! of an object that clang makes for that purpose alone: the compiler has then laid out
//! everything, macros and attributes included, and no C has to be parsed here. Spelled as C again, it is
//! meant for a file that includes the source, so that names need not be invented. Which functions and
//! variables a function needs is read from the relocations of the same object. What the names and order
//! of parameters and of members say about arrays and their lengths is a guess. The other
//! guesses are outside of `types`: which pointers to functions are hooks for memory (by type and name), which stream a
//! `FILE *` is (by name), and what a `void *` is taken for (by the function's own variables). A guess that
//! is wrong makes a finding that no caller could cause: `cargo xtask functions` counts those.

#[cfg(test)]
mod damage;
mod dwarf;
mod lengths;
mod library;
mod reach;
mod read;
mod spell;
mod verify;

use elsewise_driver::NativeError;
pub use lengths::lengths;
pub(crate) use lengths::member_lengths;
pub(crate) use library::in_library;
pub use reach::{Reach, reach};
pub(crate) use reach::{defined, reach_past, undefined};
use std::sync::Arc;

/// Options after the user's own with which clang describes all there is: declarations of functions
/// that are called but not defined, static functions that nobody calls, types that nobody uses.
/// Every function and every variable has a section of its own, which [`reach`] needs.
pub const FLAGS: &[&str] = &[
    "-c",
    // From this level on, functions that are called but not defined are described.
    "-O1",
    // Calls and branches stay as they are in the source.
    "-Xclang",
    "-disable-llvm-passes",
    "-U_FORTIFY_SOURCE",
    "-g",
    "-gdwarf-5",
    "-gz=none",
    "-gno-split-dwarf",
    "-fstandalone-debug",
    "-fno-eliminate-unused-debug-types",
    // Static functions and variables that nothing refers to are there nevertheless.
    "-femit-all-decls",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-lto",
    "-fno-sanitize=all",
    "-w",
];

/// A type of [`Types::types`], by its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);

/// What a source declares. Following types by value (members, elements, what typedefs and
/// qualifiers are of) ends after a few steps, and so does following them up to the next struct or
/// union: it has been checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Types {
    pub types: Vec<Type>,
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
    /// The file that the compiler was given.
    pub source: String,
}

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    pub file: Arc<str>,
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    pub kind: Kind,
    /// As `sizeof` has it; 0 where it has nothing to say (functions, opaque types, arrays without a
    /// count).
    pub size: u64,
    /// Where it is declared, for types that have a declaration.
    pub place: Option<SourceLine>,
    /// Declared inside a function: it cannot be spelled outside.
    pub local: bool,
    /// The typedef through which a struct, union or enum without a tag is spelled.
    pub alias: Option<TypeId>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `char` and its kin are characters.
    Integer {
        name: String,
        signed: bool,
        character: bool,
    },
    Bool,
    Float {
        name: String,
    },
    Enum {
        name: Option<String>,
        signed: bool,
        values: Vec<(String, i128)>,
    },
    /// No target: `void *`.
    Pointer {
        to: Option<TypeId>,
    },
    /// Without a count: a flexible array member, or declared elsewhere in full length.
    Array {
        of: TypeId,
        count: Option<u64>,
    },
    Struct {
        name: Option<String>,
        members: Vec<Member>,
    },
    Union {
        name: Option<String>,
        members: Vec<Member>,
    },
    /// Without a prototype (`int f()`), nothing is said about its parameters.
    Function {
        returns: Option<TypeId>,
        parameters: Vec<TypeId>,
        variadic: bool,
        prototyped: bool,
    },
    /// No target: of `void`.
    Typedef {
        name: String,
        to: Option<TypeId>,
    },
    Qualified {
        qualifier: Qualifier,
        to: Option<TypeId>,
    },
    /// Declared, never defined.
    Opaque {
        name: Option<String>,
        keyword: &'static str,
    },
    /// What has no counterpart here, in words: `a vector`.
    Unsupported {
        what: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qualifier {
    Const,
    Volatile,
    Restrict,
    Atomic,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// None for an anonymous struct or union, whose members are those of the outer one.
    pub name: Option<String>,
    pub ty: TypeId,
    /// From the beginning of the struct; of a bit-field, of the byte where it begins.
    pub offset: u64,
    pub bits: Option<BitField>,
}

/// Which bits of a struct a bit-field is, counted from the struct's beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    pub offset: u64,
    pub size: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    /// Its name in the object, which is another where the source says so (`asm("name")`).
    pub symbol: String,
    pub is_static: bool,
    /// It has a body here; otherwise it is called here and declared only.
    pub defined: bool,
    pub place: Option<SourceLine>,
    pub parameters: Vec<Parameter>,
    /// The types of the variables inside, in their order.
    pub locals: Vec<TypeId>,
    pub returns: Option<TypeId>,
    pub variadic: bool,
    pub prototyped: bool,
    /// It never returns. A function that only [`probe`] describes is taken for one of that kind when
    /// it has no result: otherwise it is one of which only the address is used.
    pub noreturn: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Functions that are declared only have no names of parameters.
    pub name: Option<String>,
    pub ty: TypeId,
}

/// A variable at file scope.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    pub name: String,
    /// Its name in the object.
    pub symbol: String,
    pub ty: TypeId,
    pub is_static: bool,
    /// Variables that are declared only are described only where [`probe`] asks for them.
    pub defined: bool,
    pub is_const: bool,
    pub place: Option<SourceLine>,
}

/// C text to be appended to the source so that functions and variables that it declares and does not
/// define are described too. Clang describes of its own accord only functions that are called and that
/// may return.
pub fn probe(names: &[&str]) -> String {
    names
        .iter()
        .map(|name| format!("static __typeof__({name}) *{PROBE}{name};\n"))
        .collect()
}

/// How the names of the variables that [`probe`] defines begin.
const PROBE: &str = "elsewise_extern_";

#[derive(Debug, thiserror::Error)]
pub enum TypesError {
    #[error("the compiled object cannot be read ({0}): compile it again")]
    Object(String),
    #[error("the debug information of the compiled object cannot be read ({0}): compile it again")]
    Debug(String),
    #[error(
        "the file declares nothing: check that it is the right one, and --cflags if what it has \
         depends on macros"
    )]
    NoDebug,
    #[error("there is no function `{0}` in the object: check its name")]
    NoFunction(String),
}

impl From<TypesError> for NativeError {
    fn from(error: TypesError) -> NativeError {
        let message = error.to_string();
        match error {
            // The wrong file was given, or the wrong options.
            TypesError::NoDebug => NativeError::Usage(message),
            _ => NativeError::Types(message),
        }
    }
}

impl From<object::Error> for TypesError {
    fn from(error: object::Error) -> TypesError {
        TypesError::Object(error.to_string())
    }
}

impl From<gimli::Error> for TypesError {
    fn from(error: gimli::Error) -> TypesError {
        TypesError::Debug(error.to_string())
    }
}

impl TypeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Types {
    /// Reads an object that was compiled with [`FLAGS`].
    pub fn read(object: &[u8]) -> Result<Types, TypesError> {
        read::read(object)
    }

    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len() as u32).map(TypeId)
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    pub fn kind(&self, id: TypeId) -> &Kind {
        &self.get(id).kind
    }

    /// The function of this name, the defined one if there is one.
    pub fn function(&self, name: &str) -> Option<&Function> {
        let named = || self.functions.iter().filter(|f| f.name == name);
        named().find(|f| f.defined).or_else(|| named().next())
    }

    pub fn global(&self, name: &str) -> Option<&Global> {
        let named = || self.globals.iter().filter(|g| g.name == name);
        named().find(|g| g.defined).or_else(|| named().next())
    }

    /// The type behind typedefs and qualifiers; none for `void`.
    pub fn resolve(&self, id: TypeId) -> Option<TypeId> {
        let mut id = id;
        loop {
            match self.kind(id) {
                Kind::Typedef { to, .. } | Kind::Qualified { to, .. } => id = (*to)?,
                _ => return Some(id),
            }
        }
    }

    /// [`Types::resolve`] and what is there; none for `void`.
    pub fn resolved(&self, id: TypeId) -> Option<&Kind> {
        self.resolve(id).map(|id| self.kind(id))
    }

    /// The array without a length at the end of a struct: its offset, and the type of its elements.
    pub(crate) fn flexible(&self, id: TypeId) -> Option<(u64, TypeId)> {
        let Kind::Struct { members, .. } = self.kind(id) else {
            return None;
        };
        let last = members.last()?;
        match self.resolved(last.ty)? {
            Kind::Array {
                of,
                count: None | Some(0),
            } => Some((last.offset, *of)),
            _ => None,
        }
    }

    /// A variable of this type cannot be assigned to: it, or the elements of an array, are `const`.
    pub fn is_const(&self, id: TypeId) -> bool {
        let mut id = id;
        loop {
            let next = match self.kind(id) {
                Kind::Qualified {
                    qualifier: Qualifier::Const,
                    ..
                } => return true,
                Kind::Typedef { to, .. } | Kind::Qualified { to, .. } => *to,
                Kind::Array { of, .. } => Some(*of),
                _ => None,
            };
            match next {
                Some(next) => id = next,
                None => return false,
            }
        }
    }
}

/// In C, wide characters are integers by another name. That name says that arrays of them are texts.
pub(crate) fn is_wide(name: &str) -> bool {
    matches!(name, "wchar_t" | "char16_t" | "char32_t")
}
