//! Whether types that were read can be types of a C program, and how large they are: what is read
//! from a file is bad input until checked.

use super::{Kind, Member, Qualifier, TypeId, Types, TypesError};

/// Types inside of types, deeper than in any program.
const DEEPEST: u32 = 256;
/// Parts of a type up to the next struct: more than in any declaration.
const WIDEST: u64 = 10_000;
const POINTER: u64 = 8;

/// Checks all types and works out the sizes that the debug information leaves out.
pub fn verify(types: &mut Types) -> Result<(), TypesError> {
    let order = inner_first(types, by_value)?;
    for id in order {
        let size = size(types, id)
            .ok_or_else(|| bad(format!("type {} is not as large as what it holds", id.0)))?;
        types.types[id.index()].size = size;
    }
    let order = inner_first(types, spelled)?;
    let mut widths: Vec<u64> = vec![0; types.types.len()];
    for id in order {
        let parts = spelled(types, id);
        let below = parts.iter().map(|id| widths[id.index()]);
        let width = below.fold(1, u64::saturating_add);
        if width > WIDEST {
            return Err(bad(format!("type {} has too many parts", id.0)));
        }
        widths[id.index()] = width;
    }
    Ok(())
}

fn bad(reason: String) -> TypesError {
    TypesError::Debug(reason)
}

/// Types whose values are part of this one's values.
fn by_value(types: &Types, id: TypeId) -> Vec<TypeId> {
    match types.kind(id) {
        Kind::Typedef { to, .. } | Kind::Qualified { to, .. } => to.iter().copied().collect(),
        Kind::Array { of, .. } => vec![*of],
        Kind::Struct { members, .. } | Kind::Union { members, .. } => {
            members.iter().map(|member| member.ty).collect()
        }
        _ => Vec::new(),
    }
}

/// Types that the spelling of this one goes through when no typedef is used.
fn spelled(types: &Types, id: TypeId) -> Vec<TypeId> {
    match types.kind(id) {
        Kind::Typedef { to, .. } | Kind::Qualified { to, .. } | Kind::Pointer { to } => {
            to.iter().copied().collect()
        }
        Kind::Array { of, .. } => vec![*of],
        Kind::Function {
            returns,
            parameters,
            ..
        } => returns.iter().chain(parameters).copied().collect(),
        _ => Vec::new(),
    }
}

/// All types, each after those inside of it.
fn inner_first(
    types: &Types,
    inside: fn(&Types, TypeId) -> Vec<TypeId>,
) -> Result<Vec<TypeId>, TypesError> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done(u32),
    }
    let mut states = vec![State::New; types.types.len()];
    let mut order = Vec::with_capacity(states.len());
    let mut waiting: Vec<TypeId> = (0..states.len()).rev().map(|n| TypeId(n as u32)).collect();
    while let Some(id) = waiting.pop() {
        match states[id.index()] {
            State::Done(_) => {}
            State::New => {
                states[id.index()] = State::Open;
                waiting.push(id);
                for inner in inside(types, id) {
                    match states[inner.index()] {
                        State::New => waiting.push(inner),
                        State::Open => {
                            return Err(bad(format!("type {} is a part of itself", inner.0)));
                        }
                        State::Done(_) => {}
                    }
                }
            }
            State::Open => {
                let depth = |id: &TypeId| match states[id.index()] {
                    State::Done(depth) => depth,
                    // Not so: what is inside was waiting in front of this one.
                    State::New | State::Open => DEEPEST,
                };
                let below = inside(types, id).iter().map(depth).max().unwrap_or(0);
                if below >= DEEPEST {
                    return Err(bad(format!("type {} is too deep", id.0)));
                }
                states[id.index()] = State::Done(below + 1);
                order.push(id);
            }
        }
    }
    Ok(order)
}

/// The size of a type whose parts have theirs; none when it cannot be.
fn size(types: &Types, id: TypeId) -> Option<u64> {
    let ty = types.get(id);
    let of = |id: &TypeId| types.get(*id).size;
    match &ty.kind {
        Kind::Integer { .. } | Kind::Enum { .. } => {
            matches!(ty.size, 1 | 2 | 4 | 8 | 16).then_some(ty.size)
        }
        Kind::Bool => (ty.size == 1).then_some(1),
        Kind::Float { .. } => matches!(ty.size, 2 | 4 | 8 | 16).then_some(ty.size),
        Kind::Pointer { .. } => Some(POINTER),
        Kind::Array { of: element, count } => of(element).checked_mul(count.unwrap_or(0)),
        Kind::Struct { members, .. } | Kind::Union { members, .. } => members
            .iter()
            .all(|member| fits(types, member, ty.size))
            .then_some(ty.size),
        Kind::Typedef { to, .. } => Some(to.as_ref().map_or(0, of)),
        Kind::Qualified { qualifier, to } => {
            let size = to.as_ref().map_or(0, of);
            // Small atomic objects are as large as what the machine reads at once.
            let rounded = *qualifier == Qualifier::Atomic && (1..=16).contains(&size);
            Some(if rounded {
                size.next_power_of_two()
            } else {
                size
            })
        }
        Kind::Function { .. } | Kind::Opaque { .. } => Some(0),
        Kind::Unsupported { .. } => Some(ty.size),
    }
}

fn fits(types: &Types, member: &Member, size: u64) -> bool {
    let own = types.get(member.ty).size;
    let end = match member.bits {
        None => member.offset.checked_add(own),
        Some(bits) if bits.size > own.saturating_mul(8) => None,
        Some(bits) => bits
            .offset
            .checked_add(bits.size)
            .map(|end| end.div_ceil(8)),
    };
    end.is_some_and(|end| end <= size)
}
