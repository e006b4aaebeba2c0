//! Images of memory as values of their types.

use super::images::{Images, Name};
use super::numbers::{extended, integer, number};
use super::plan::{Cell, Plan, Pool, Root, Ways};
use super::write;
use crate::types::{BitField, Kind, Member, TypeId, Types};
use elsewise_graph::{Field, Object, Value};
use std::collections::BTreeMap;

/// Calls of a stub that are shown.
const MAX_CALLS: usize = 16;
/// Values within values.
pub(super) const MAX_NESTING: u32 = 32;

/// Images as values.
pub(super) struct Reader<'a> {
    pub(super) plan: &'a Plan,
    pub(super) types: &'a Types,
    pub(super) images: &'a Images,
    names: &'a [Name],
    pub(super) places: BTreeMap<Name, usize>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        types: &'a Types,
        images: &'a Images,
        names: &'a [Name],
    ) -> Reader<'a> {
        Reader {
            plan,
            types,
            images,
            names,
            places: names.iter().copied().zip(0..).collect(),
        }
    }

    pub(super) fn spell(&self, ty: TypeId) -> String {
        self.types.spell(ty).unwrap_or_default()
    }

    pub(super) fn root(&self, root: &Root) -> Field {
        let none = Vec::new();
        let image = self.images.roots.get(&root.name).unwrap_or(&none);
        Field {
            name: root.name.clone(),
            ty: self.spell(root.ty),
            value: self.value(root.ty, image, 0, &root.cells, 0),
        }
    }

    /// What a stub returns each time that it is called; behind the last, and where nothing is said, zeros.
    pub(super) fn returned(&self, root: &Root, bytes: &[u8], used: bool) -> Vec<Field> {
        let size = root.size.max(1) as usize;
        let said = bytes.iter().rposition(|byte| *byte != 0);
        let calls = said.map_or(0, |last| last / size + 1);
        let calls = calls.max(usize::from(used)).min(MAX_CALLS);
        let field = |index: usize| {
            let image = bytes.iter().skip(index * size).take(size);
            let mut image: Vec<u8> = image.copied().collect();
            image.resize(size, 0);
            Field {
                name: match index {
                    0 => format!("stub {}", root.name),
                    _ => format!("stub {}, call {}", root.name, index + 1),
                },
                ty: self.spell(root.ty),
                value: self.value(root.ty, &image, 0, &root.cells, 0),
            }
        };
        (0..calls).map(field).collect()
    }

    pub(super) fn objects(&self) -> Vec<Object> {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        self.names
            .iter()
            .map(|name| {
                let pool = &self.plan.pools[name.0];
                let count = counts.entry(name.0).or_default();
                *count += 1;
                let image = self.images.objects.iter().find(|(known, _)| known == name);
                let image = image.map_or(&[][..], |(_, image)| image);
                let (ty, value) = self.object(pool, image);
                let array = pool.elements != 1 || pool.length.is_some() || pool.counted;
                Object {
                    name: format!("{} {count}", short(&pool.name)),
                    ty,
                    count: array.then(|| image.len() / (pool.size + pool.extra).max(1) as usize),
                    value,
                    freed: self.images.freed.contains(name),
                }
            })
            .collect()
    }

    fn object(&self, pool: &Pool, image: &[u8]) -> (String, Value) {
        let Some(ty) = pool
            .ty
            .filter(|ty| !matches!(self.types.kind(*ty), Kind::Opaque { .. }))
        else {
            let ty = match pool.ty {
                Some(ty) => self.spell(ty),
                None => "unsigned char".into(),
            };
            return (ty, Value::Bytes(image.to_vec()));
        };
        let spelled = self.spell(ty);
        if pool.elements == 1 && pool.length.is_none() && !pool.counted {
            return (spelled, self.value(ty, image, 0, &pool.cells, 0));
        }
        if self.is_character(ty) {
            return (spelled, Value::Text(image.to_vec()));
        }
        let elements = image
            .chunks((pool.size + pool.extra).max(1) as usize)
            .map(|element| self.value(ty, element, 0, &pool.cells, 0))
            .collect();
        (spelled, Value::Array(elements))
    }

    fn is_character(&self, ty: TypeId) -> bool {
        let kind = self.types.resolved(ty);
        matches!(
            kind,
            Some(Kind::Integer {
                character: true,
                ..
            })
        )
    }

    /// A value of this type at `at` in an image.
    pub(super) fn value(
        &self,
        ty: TypeId,
        image: &[u8],
        at: u64,
        cells: &[Cell],
        depth: u32,
    ) -> Value {
        let Some(id) = self.types.resolve(ty) else {
            return Value::Bytes(Vec::new());
        };
        let ty = self.types.get(id);
        let from = (at as usize).min(image.len());
        let bytes = &image[from..image.len().min(from + ty.size as usize)];
        if depth > MAX_NESTING {
            return Value::Bytes(bytes.to_vec());
        }
        match &ty.kind {
            Kind::Integer { signed, .. } => Value::Integer(integer(bytes, *signed)),
            Kind::Bool => Value::Integer(self.chosen(bytes, at, cells, false)),
            Kind::Enum { values, signed, .. } => {
                let value = self.chosen(bytes, at, cells, *signed);
                match values.iter().find(|(_, known)| *known == value) {
                    Some((name, _)) => Value::Named(name.clone()),
                    None => Value::Integer(value),
                }
            }
            Kind::Float { .. } => match bytes.try_into().map(u32::from_le_bytes) {
                Ok(bits) => Value::Single(f32::from_bits(bits)),
                Err(_) => match bytes.try_into().map(u64::from_le_bytes) {
                    Ok(bits) => Value::Double(f64::from_bits(bits)),
                    Err(_) => match extended(bytes) {
                        Some(value) => Value::Double(value),
                        None => Value::Bytes(bytes.to_vec()),
                    },
                },
            },
            Kind::Pointer { .. } => self.pointer(bytes, at, cells),
            Kind::Array { of, count } => {
                self.array(*of, count.unwrap_or(0), image, at, cells, depth)
            }
            Kind::Struct { members, .. } => {
                let fields = members.iter();
                let fields = fields.map(|member| self.member(member, image, at, cells, depth));
                let mut fields: Vec<Field> = fields.collect();
                // Bytes behind the end of a struct are its flexible array's.
                let behind = (image.len() as u64).saturating_sub(at + ty.size);
                if let (Some((offset, of)), Some(last)) =
                    (self.types.flexible(id), fields.last_mut())
                {
                    let count = behind / self.size(of).max(1);
                    last.value = self.array(of, count, image, at + offset, cells, depth);
                }
                Value::Struct(fields)
            }
            Kind::Union { members, .. } => {
                let has_cells = |member: &&Member| {
                    let size = self.size(member.ty);
                    let within = |cell: &Cell| (at..at + size).contains(&cell.offset);
                    self.leads(member.ty, depth) && cells.iter().any(within)
                };
                match members.iter().find(has_cells).or(members.first()) {
                    Some(member) => {
                        Value::Union(Box::new(self.member(member, image, at, cells, depth)))
                    }
                    None => Value::Bytes(bytes.to_vec()),
                }
            }
            _ => Value::Bytes(bytes.to_vec()),
        }
    }

    fn array(
        &self,
        of: TypeId,
        count: u64,
        image: &[u8],
        at: u64,
        cells: &[Cell],
        depth: u32,
    ) -> Value {
        let size = self.size(of);
        if self.is_character(of) {
            let bytes = image.iter().skip(at as usize).take((count * size) as usize);
            return Value::Text(bytes.copied().collect());
        }
        let element = |index| self.value(of, image, at + index * size, cells, depth + 1);
        Value::Array((0..count).map(element).collect())
    }

    pub(super) fn size(&self, ty: TypeId) -> u64 {
        let id = self.types.resolve(ty);
        id.map_or(0, |id| self.types.get(id).size)
    }

    /// Does a value of this type have cells?
    fn leads(&self, ty: TypeId, depth: u32) -> bool {
        match self.types.resolved(ty) {
            _ if depth > MAX_NESTING => false,
            Some(Kind::Pointer { .. } | Kind::Bool | Kind::Enum { .. }) => true,
            Some(Kind::Array { of, .. }) => self.leads(*of, depth + 1),
            Some(Kind::Struct { members, .. } | Kind::Union { members, .. }) => members
                .iter()
                .any(|member| self.leads(member.ty, depth + 1)),
            _ => false,
        }
    }

    fn member(&self, member: &Member, image: &[u8], at: u64, cells: &[Cell], depth: u32) -> Field {
        let value = match member.bits {
            Some(bits) => self.bit_field(member.ty, bits, image, at),
            None => self.value(member.ty, image, at + member.offset, cells, depth + 1),
        };
        Field {
            name: member.name.clone().unwrap_or_default(),
            ty: self.spell(member.ty),
            value,
        }
    }

    fn bit_field(&self, ty: TypeId, bits: BitField, image: &[u8], at: u64) -> Value {
        let mut value: i128 = 0;
        for bit in (0..bits.size.min(64)).rev() {
            let place = at * 8 + bits.offset + bit;
            let byte = image.get((place / 8) as usize).copied().unwrap_or(0);
            value = value << 1 | i128::from(byte >> (place % 8) & 1);
        }
        let kind = self.types.resolved(ty);
        let signed = matches!(
            kind,
            Some(Kind::Integer { signed: true, .. } | Kind::Enum { signed: true, .. })
        );
        if signed && bits.size > 0 && value >> (bits.size - 1) & 1 == 1 {
            value -= 1 << bits.size;
        }
        match kind {
            Some(Kind::Enum { values, .. }) => match values.iter().find(|(_, v)| *v == value) {
                Some((name, _)) => Value::Named(name.clone()),
                None => Value::Integer(value),
            },
            _ => Value::Integer(value),
        }
    }

    pub(super) fn cell(&self, at: u64, cells: &'a [Cell]) -> Option<&'a Cell> {
        cells.iter().find(|cell| {
            at.checked_sub(cell.offset).is_some_and(|distance| {
                distance == 0
                    || cell.stride > 0
                        && distance.is_multiple_of(cell.stride)
                        && distance / cell.stride < cell.count
            })
        })
    }

    /// The selector at a cell.
    pub(super) fn selector(&self, bytes: &[u8], cell: &Cell) -> Option<u64> {
        let ways = &self.plan.ways[cell.ways];
        if self.images.wide {
            let value = number(bytes);
            let none = u64::MAX >> (64 - 8 * cell.size.clamp(1, 8));
            return (value != none).then_some(value);
        }
        let width = write::width(self.plan, ways, cell.size) as usize;
        let selector = number(&bytes[..bytes.len().min(width)]);
        Some(selector.min(write::entries(self.plan, ways) - 1))
    }

    /// A value that is one of a few.
    fn chosen(&self, bytes: &[u8], at: u64, cells: &[Cell], signed: bool) -> i128 {
        let cell = self.cell(at, cells);
        let ways = cell.map(|cell| &self.plan.ways[cell.ways]);
        let (Some(cell), Some(Ways::Values(values))) = (cell, ways) else {
            return integer(bytes, signed);
        };
        let selector = self.selector(bytes, cell);
        let value = selector.and_then(|selector| values.get(selector as usize));
        value.map_or(0, |text| {
            let digits = text.trim_end_matches(['l', 'u']);
            match digits.strip_prefix("0x") {
                Some(hex) => i128::from_str_radix(hex, 16).unwrap_or(0),
                None => digits.parse().unwrap_or(0),
            }
        })
    }
}

/// What an object of a pool is called: without the keyword.
fn short(name: &str) -> &str {
    name.trim_start_matches("struct ")
        .trim_start_matches("union ")
        .trim_start_matches("enum ")
}
