//! Pointers in images, as people name what they point to: an object, or a part of one.

use super::images::{Name, target};
use super::numbers::number;
use super::plan::{Cell, Ways};
use super::reader::{MAX_NESTING, Reader};
use crate::types::{Kind, Member, TypeId};
use elsewise_graph::{Step, Value};

/// What the harness writes for a pointer that no selector stands for: this bit, the number of a pool,
/// of its object, and the offset into it.
const INSIDE: u64 = 1 << 63;

/// The object that a pointer without a selector leads into, and the offset.
fn inside(value: u64) -> Option<(Name, u64)> {
    let parts = || {
        (
            ((value >> 48 & 0x7fff) as usize, value >> 32 & 0xffff),
            value & 0xffff_ffff,
        )
    };
    (value != u64::MAX && value & INSIDE != 0).then(parts)
}

impl Reader<'_> {
    pub(super) fn pointer(&self, bytes: &[u8], at: u64, cells: &[Cell]) -> Value {
        let Some(cell) = self.cell(at, cells) else {
            return match number(bytes) {
                0 => Value::Null,
                _ => Value::Elsewhere,
            };
        };
        let ways = &self.plan.ways[cell.ways];
        if let (true, Ways::Objects { to, .. }) = (self.images.wide, ways)
            && let Some((name, offset)) = inside(number(bytes))
        {
            let path = self.path(name, offset, *to);
            return match (self.places.get(&name), path) {
                (Some(object), Some(path)) => Value::Pointer {
                    object: *object,
                    path,
                },
                _ => Value::Elsewhere,
            };
        }
        let Some(selector) = self.selector(bytes, cell) else {
            return Value::Elsewhere;
        };
        match ways {
            Ways::Values(values) => match values.get(selector as usize).map(String::as_str) {
                None | Some("0") => Value::Null,
                Some(name) => Value::Named(name.to_string()),
            },
            Ways::Objects { to, .. } => match target(self.plan, ways, selector) {
                None => Value::Null,
                Some((name, offset)) => match self.places.get(&name) {
                    None => Value::Elsewhere,
                    Some(object) => Value::Pointer {
                        object: *object,
                        path: self.path(name, offset, *to).unwrap_or_default(),
                    },
                },
            },
        }
    }

    /// The way to the part of an object at this offset that has the type `to`; none where there is no
    /// such part. One past the end of an array is a part, too.
    fn path(&self, (pool, _): Name, offset: u64, to: Option<TypeId>) -> Option<Vec<Step>> {
        let pool = self.plan.pools.get(pool)?;
        let mut path = Vec::new();
        let mut rest = offset;
        let mut ty = pool.ty?;
        let one = (pool.size + pool.extra).max(1);
        if rest > 0 && (pool.elements != 1 || pool.length.is_some()) {
            path.push(Step::Element((rest / one) as usize));
            rest %= one;
        }
        let to = to.and_then(|to| self.types.resolve(to));
        while path.len() < MAX_NESTING as usize {
            let id = self.types.resolve(ty)?;
            if rest == 0 && to.is_none_or(|to| to == id) {
                return Some(path);
            }
            match self.types.kind(id) {
                Kind::Struct { members, .. } => {
                    let within = |member: &&Member| member.offset <= rest && member.bits.is_none();
                    let member = members.iter().rfind(within)?;
                    if let Some(name) = &member.name {
                        path.push(Step::Member(name.clone()));
                    }
                    rest -= member.offset;
                    ty = member.ty;
                }
                Kind::Array { of, count } => {
                    let size = self.size(*of).max(1);
                    let index = rest / size;
                    if index > (*count)? {
                        return None;
                    }
                    path.push(Step::Element(index as usize));
                    rest -= index * size;
                    ty = *of;
                }
                _ => return None,
            }
        }
        None
    }
}
