//! From entries of the debug information to types, functions and globals.

use super::dwarf::{self, Entry};
use super::{
    BitField, Function, Global, Kind, Member, PROBE, Parameter, Qualifier, Type, TypeId, Types,
    TypesError, is_wide, verify,
};
use rustc_hash::FxHashMap;

pub fn read(object: &[u8]) -> Result<Types, TypesError> {
    let (entries, source) = dwarf::entries(object)?;
    let mut reader = Reader::new(&entries);
    reader.out.source = source;
    reader.types()?;
    for entry in &entries {
        match entry.tag {
            gimli::DW_TAG_subprogram => reader.function(entry)?,
            gimli::DW_TAG_variable => reader.global(entry)?,
            _ => {}
        }
    }
    let mut types = reader.out;
    verify::verify(&mut types)?;
    settle(&mut types);
    Ok(types)
}

/// What follows from types that have been verified.
fn settle(types: &mut Types) {
    let constant: Vec<bool> = types
        .globals
        .iter()
        .map(|global| types.is_const(global.ty))
        .collect();
    for (global, constant) in types.globals.iter_mut().zip(constant) {
        global.is_const = constant;
    }
    for number in 0..types.types.len() {
        let Kind::Typedef { to: Some(to), name } = &types.types[number].kind else {
            continue;
        };
        let to = *to;
        let integer = types.resolve(to).filter(|_| is_wide(name));
        if let Some(of) = integer.map(|of| types.get(of))
            && let Kind::Integer { signed, .. } = of.kind
        {
            let (name, size) = (name.clone(), of.size);
            types.types[number].size = size;
            types.types[number].kind = Kind::Integer {
                name,
                signed,
                character: false,
            };
            continue;
        }
        let nameless = matches!(
            types.kind(to),
            Kind::Struct { name: None, .. }
                | Kind::Union { name: None, .. }
                | Kind::Enum { name: None, .. }
        );
        let alias = &mut types.types[to.index()].alias;
        if nameless && alias.is_none() {
            *alias = Some(TypeId(number as u32));
        }
    }
}

struct Reader<'a> {
    entries: &'a [Entry],
    /// Types by the offset of their entry.
    ids: FxHashMap<usize, TypeId>,
    /// Of each entry: is it inside a function?
    local: Vec<bool>,
    out: Types,
}

impl<'a> Reader<'a> {
    fn new(entries: &'a [Entry]) -> Reader<'a> {
        let described = entries.iter().filter(|entry| is_type(entry.tag));
        let mut local = Vec::with_capacity(entries.len());
        for entry in entries {
            local.push(entry.parent.is_some_and(|parent| {
                local[parent] || entries[parent].tag == gimli::DW_TAG_subprogram
            }));
        }
        Reader {
            local,
            ids: described
                .enumerate()
                .map(|(number, entry)| (entry.offset, TypeId(number as u32)))
                .collect(),
            entries,
            out: Types::default(),
        }
    }

    fn types(&mut self) -> Result<(), TypesError> {
        let numbered = || self.entries.iter().enumerate();
        let described = || numbered().filter(|(_, entry)| is_type(entry.tag));
        // Arrays of several dimensions are arrays of arrays, which have no entries of their own.
        let mut inner: Vec<Type> = Vec::new();
        let count = described().count();
        let mut types = Vec::with_capacity(count);
        for (number, entry) in described() {
            let kind = match entry.tag {
                gimli::DW_TAG_array_type => self.array(entry, count, &mut inner)?,
                _ => self.kind(entry)?,
            };
            types.push(Type {
                kind,
                size: match entry.vector {
                    true => self.vector_size(entry),
                    false => entry.byte_size.unwrap_or(0),
                },
                place: entry.place.clone(),
                local: self.local[number],
                alias: None,
            });
        }
        types.extend(inner);
        self.out.types = types;
        Ok(())
    }

    fn children(&self, entry: &'a Entry, tag: gimli::DwTag) -> impl Iterator<Item = &'a Entry> {
        let entries = self.entries;
        entry
            .children
            .iter()
            .map(move |number| &entries[*number])
            .filter(move |child| child.tag == tag)
    }

    fn id(&self, offset: usize) -> Result<TypeId, TypesError> {
        self.ids
            .get(&offset)
            .copied()
            .ok_or_else(|| bad(format!("nothing at {offset:#x} is a type")))
    }

    fn at(&self, offset: usize) -> Option<&'a Entry> {
        let found = self
            .entries
            .binary_search_by_key(&offset, |entry| entry.offset);
        found.ok().map(|number| &self.entries[number])
    }

    fn vector_size(&self, entry: &'a Entry) -> u64 {
        let element = entry.ty.and_then(|offset| self.at(offset)?.byte_size);
        let range = self.children(entry, gimli::DW_TAG_subrange_type).next();
        let count = range.and_then(|range| range.count?.ok());
        element.unwrap_or(0).saturating_mul(count.unwrap_or(0))
    }

    /// The type of an entry; none is `void`.
    fn of(&self, entry: &Entry) -> Result<Option<TypeId>, TypesError> {
        entry.ty.map(|offset| self.id(offset)).transpose()
    }

    fn some(&self, entry: &Entry) -> Result<TypeId, TypesError> {
        self.of(entry)?
            .ok_or_else(|| bad(format!("the entry at {:#x} has no type", entry.offset)))
    }

    fn kind(&self, entry: &'a Entry) -> Result<Kind, TypesError> {
        let name = entry.name.clone();
        let qualified = |qualifier| -> Result<Kind, TypesError> {
            let to = self.of(entry)?;
            Ok(Kind::Qualified { qualifier, to })
        };
        let opaque = |keyword| Kind::Opaque {
            name: entry.name.clone(),
            keyword,
        };
        Ok(match entry.tag {
            gimli::DW_TAG_base_type => base(entry),
            gimli::DW_TAG_enumeration_type if entry.declaration => opaque("enum"),
            gimli::DW_TAG_structure_type if entry.declaration => opaque("struct"),
            gimli::DW_TAG_union_type if entry.declaration => opaque("union"),
            gimli::DW_TAG_enumeration_type => self.enumeration(entry)?,
            gimli::DW_TAG_structure_type if is_va_list(entry) => Kind::Unsupported {
                what: "the arguments of a variadic function".to_string(),
            },
            gimli::DW_TAG_structure_type => Kind::Struct {
                name,
                members: self.members(entry)?,
            },
            gimli::DW_TAG_union_type => Kind::Union {
                name,
                members: self.members(entry)?,
            },
            gimli::DW_TAG_pointer_type => Kind::Pointer {
                to: self.of(entry)?,
            },
            gimli::DW_TAG_typedef => Kind::Typedef {
                name: name.ok_or_else(|| bad("a typedef has no name".to_string()))?,
                to: self.of(entry)?,
            },
            gimli::DW_TAG_const_type => qualified(Qualifier::Const)?,
            gimli::DW_TAG_volatile_type => qualified(Qualifier::Volatile)?,
            gimli::DW_TAG_restrict_type => qualified(Qualifier::Restrict)?,
            gimli::DW_TAG_atomic_type => qualified(Qualifier::Atomic)?,
            gimli::DW_TAG_subroutine_type => {
                let parameters = self.children(entry, gimli::DW_TAG_formal_parameter);
                Kind::Function {
                    returns: self.of(entry)?,
                    parameters: parameters
                        .map(|child| self.some(child))
                        .collect::<Result<_, _>>()?,
                    variadic: self.is_variadic(entry),
                    prototyped: entry.prototyped,
                }
            }
            _ => Kind::Unsupported {
                what: name.unwrap_or_else(|| entry.tag.to_string()),
            },
        })
    }

    /// Clang describes `int f()` as one that takes any arguments too.
    fn is_variadic(&self, entry: &'a Entry) -> bool {
        let mut unspecified = self.children(entry, gimli::DW_TAG_unspecified_parameters);
        entry.prototyped && unspecified.next().is_some()
    }

    fn enumeration(&self, entry: &'a Entry) -> Result<Kind, TypesError> {
        let underlying = entry.ty.and_then(|offset| self.at(offset));
        let signed = underlying.is_some_and(|entry| is_signed(entry.encoding));
        let values = self.children(entry, gimli::DW_TAG_enumerator).map(|child| {
            match (&child.name, child.value) {
                (Some(name), Some(value)) => Ok((name.clone(), value.value(signed))),
                _ => Err(bad("an enumerator has no name or value".to_string())),
            }
        });
        Ok(Kind::Enum {
            name: entry.name.clone(),
            signed,
            values: values.collect::<Result<_, _>>()?,
        })
    }

    fn members(&self, entry: &'a Entry) -> Result<Vec<Member>, TypesError> {
        self.children(entry, gimli::DW_TAG_member)
            .map(|child| {
                let bits = child.bit_size.map(|size| BitField {
                    offset: child.bit_offset.unwrap_or(0),
                    size,
                });
                Ok(Member {
                    name: child.name.clone(),
                    ty: self.some(child)?,
                    offset: bits.map_or(child.byte_offset.unwrap_or(0), |bits| bits.offset / 8),
                    bits,
                })
            })
            .collect()
    }

    /// The outermost dimension; those below are put after all the types that have entries.
    fn array(
        &self,
        entry: &'a Entry,
        described: usize,
        inner: &mut Vec<Type>,
    ) -> Result<Kind, TypesError> {
        let unsupported = |what: &str| {
            let what = what.to_string();
            Ok(Kind::Unsupported { what })
        };
        if entry.vector {
            return unsupported("a vector");
        }
        let mut of = self.some(entry)?;
        let mut counts = Vec::new();
        for range in self.children(entry, gimli::DW_TAG_subrange_type) {
            match range.count {
                None => counts.push(None),
                Some(Ok(count)) => counts.push(Some(count)),
                Some(Err(())) => return unsupported("an array of variable length"),
            }
        }
        let Some((first, below)) = counts.split_first() else {
            return Err(bad("an array has no dimension".to_string()));
        };
        for count in below.iter().rev() {
            let id = TypeId(u32::try_from(described + inner.len()).unwrap_or(u32::MAX));
            inner.push(Type {
                kind: Kind::Array { of, count: *count },
                size: 0,
                place: None,
                local: false,
                alias: None,
            });
            of = id;
        }
        Ok(Kind::Array { of, count: *first })
    }

    fn function(&mut self, entry: &'a Entry) -> Result<(), TypesError> {
        let Some(name) = entry.name.clone() else {
            return Ok(());
        };
        let parameters = self
            .children(entry, gimli::DW_TAG_formal_parameter)
            .map(|child| {
                Ok(Parameter {
                    name: child.name.clone(),
                    ty: self.some(child)?,
                })
            })
            .collect::<Result<_, TypesError>>()?;
        let function = Function {
            symbol: entry.symbol.clone().unwrap_or_else(|| name.clone()),
            name,
            is_static: !entry.external,
            defined: entry.present && !entry.declaration,
            place: entry.place.clone(),
            parameters,
            locals: self.locals(entry)?,
            returns: self.of(entry)?,
            variadic: self.is_variadic(entry),
            prototyped: entry.prototyped,
            noreturn: entry.noreturn,
        };
        self.out.functions.push(function);
        Ok(())
    }

    /// Variables of a function and of the blocks in it.
    fn locals(&self, entry: &'a Entry) -> Result<Vec<TypeId>, TypesError> {
        let mut out = Vec::new();
        let mut waiting: Vec<usize> = entry.children.iter().rev().copied().collect();
        while let Some(at) = waiting.pop() {
            let child = &self.entries[at];
            match child.tag {
                gimli::DW_TAG_variable if child.ty.is_some() => out.push(self.some(child)?),
                gimli::DW_TAG_lexical_block => waiting.extend(child.children.iter().rev()),
                _ => {}
            }
        }
        Ok(out)
    }

    fn global(&mut self, entry: &'a Entry) -> Result<(), TypesError> {
        let parent = entry.parent.map(|parent| self.entries[parent].tag);
        let Some(name) = &entry.name else {
            return Ok(());
        };
        if parent != Some(gimli::DW_TAG_compile_unit) {
            return Ok(());
        }
        let ty = self.some(entry)?;
        if let Some(name) = name.strip_prefix(PROBE)
            && let Kind::Pointer { to: Some(to) } = *self.out.kind(ty)
        {
            self.probed(name, to);
            return Ok(());
        }
        self.out.globals.push(Global {
            symbol: entry.symbol.clone().unwrap_or_else(|| name.clone()),
            name: name.clone(),
            ty,
            is_static: !entry.external,
            defined: entry.present && !entry.declaration,
            is_const: false,
            place: entry.place.clone(),
        });
        Ok(())
    }

    /// What is declared and not defined, by a pointer to it.
    fn probed(&mut self, name: &str, ty: TypeId) {
        let (name, symbol) = (name.to_string(), name.to_string());
        match self.out.kind(ty).clone() {
            Kind::Function {
                returns,
                parameters,
                variadic,
                prototyped,
            } => self.out.functions.push(Function {
                name,
                symbol,
                is_static: false,
                defined: false,
                place: None,
                parameters: parameters
                    .into_iter()
                    .map(|ty| Parameter { name: None, ty })
                    .collect(),
                locals: Vec::new(),
                returns,
                variadic,
                prototyped,
                noreturn: returns.is_none(),
            }),
            _ => self.out.globals.push(Global {
                name,
                symbol,
                ty,
                is_static: false,
                defined: false,
                is_const: false,
                place: None,
            }),
        }
    }
}

fn bad(reason: String) -> TypesError {
    TypesError::Debug(reason)
}

fn is_type(tag: gimli::DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_base_type
            | gimli::DW_TAG_enumeration_type
            | gimli::DW_TAG_structure_type
            | gimli::DW_TAG_union_type
            | gimli::DW_TAG_class_type
            | gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_array_type
            | gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_restrict_type
            | gimli::DW_TAG_atomic_type
            | gimli::DW_TAG_subroutine_type
            | gimli::DW_TAG_unspecified_type
    )
}

/// What `va_list` is an array of, which the compiler declares itself.
fn is_va_list(entry: &Entry) -> bool {
    entry.name.as_deref() == Some("__va_list_tag") && entry.place.is_none()
}

fn is_signed(encoding: Option<gimli::DwAte>) -> bool {
    matches!(
        encoding,
        Some(gimli::DW_ATE_signed | gimli::DW_ATE_signed_char)
    )
}

fn base(entry: &Entry) -> Kind {
    let name = entry.name.clone().unwrap_or_default();
    let integer = |character| Kind::Integer {
        name: name.clone(),
        signed: is_signed(entry.encoding),
        character,
    };
    match entry.encoding {
        // Their values do not fill their bytes.
        _ if name.contains("_BitInt") => Kind::Unsupported { what: name },
        // The type of an array's index, which has no name in C.
        _ if name == "__ARRAY_SIZE_TYPE__" => Kind::Unsupported { what: name },
        Some(gimli::DW_ATE_boolean) => Kind::Bool,
        Some(gimli::DW_ATE_signed | gimli::DW_ATE_unsigned) => integer(false),
        Some(gimli::DW_ATE_UTF) => integer(!is_wide(&name)),
        Some(gimli::DW_ATE_signed_char | gimli::DW_ATE_unsigned_char) => integer(true),
        Some(gimli::DW_ATE_float) => Kind::Float { name },
        _ => Kind::Unsupported { what: name },
    }
}
