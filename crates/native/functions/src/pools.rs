//! Which parts of a value are selectors, and the pools of objects that pointers lead to.

use super::plan::{Cell, Length, Pool, Ways, one};
use super::planner::Planner;
use crate::types::{Kind, TypeId, is_wide, member_lengths};

/// Members of one object that can be pointers; more are left as null.
const MAX_CELLS: usize = 4096;
/// Structs within structs.
const MAX_NESTING: u32 = 32;
/// Elements of an array of pointers that nobody gave a length for; the last is null.
const POINTERS: u32 = 4;
/// Bytes behind a pointer to something that is declared and never defined, or to `void`.
const UNKNOWN: u32 = 16;

impl Planner<'_> {
    /// The selectors in a value of this type and name, at `offset`.
    pub(super) fn cells(
        &mut self,
        ty: TypeId,
        name: &str,
        offset: u64,
        depth: u32,
        cells: &mut Vec<Cell>,
    ) {
        let Some(id) = self.types.resolve(ty) else {
            return;
        };
        if depth > MAX_NESTING || cells.len() >= MAX_CELLS {
            return;
        }
        let types = self.types;
        let size = types.get(id).size;
        match types.kind(id) {
            Kind::Pointer { to } => {
                let ways = self.pointer(*to, name);
                cells.push(one(offset, 8, ways));
            }
            Kind::Bool => {
                let ways = self.values(vec!["0".into(), "1".into()]);
                cells.push(one(offset, size, ways));
            }
            Kind::Enum { values, .. } if !values.is_empty() && !are_flags(values) => {
                let names = values.iter().map(|(_, value)| constant(*value)).collect();
                let ways = self.values(names);
                cells.push(one(offset, size, ways));
            }
            Kind::Struct { members, .. } => {
                let pairs = member_lengths(types, members);
                for (place, member) in members.iter().enumerate() {
                    let at = offset + member.offset;
                    let name = member.name.as_deref().unwrap_or(name);
                    let pair = pairs.iter().find(|(array, _)| *array == place);
                    match pair {
                        _ if member.bits.is_some() => {}
                        Some((_, length)) => {
                            let length = &members[*length];
                            cells.push(Cell {
                                length: Some(Length {
                                    offset: offset + length.offset,
                                    size: self.size(length.ty),
                                }),
                                ..one(at, 8, self.member_array(id, place, name, member.ty))
                            });
                        }
                        None => self.cells(member.ty, name, at, depth + 1, cells),
                    }
                }
            }
            Kind::Union { members, .. } => {
                // One member is what the union holds: the first that has pointers.
                for member in members.iter().filter(|member| member.bits.is_none()) {
                    let before = cells.len();
                    let name = member.name.as_deref().unwrap_or(name);
                    self.cells(member.ty, name, offset + member.offset, depth + 1, cells);
                    if cells.len() > before {
                        self.left_out |= members.len() > 1;
                        break;
                    }
                }
            }
            Kind::Array { of, count } => {
                let stride = self.size(*of);
                let mut element = Vec::new();
                self.cells(*of, name, 0, depth + 1, &mut element);
                let count = count.unwrap_or(0);
                match &element[..] {
                    [cell] if cell.count == 1 => cells.push(Cell {
                        count,
                        stride,
                        ..cell.moved(offset)
                    }),
                    _ => {
                        for index in 0..count {
                            for cell in &element {
                                if cells.len() < MAX_CELLS {
                                    cells.push(cell.moved(offset + index * stride));
                                }
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn values(&mut self, values: Vec<String>) -> usize {
        if let Some(known) = self.by_values.get(&values) {
            return *known;
        }
        self.ways.push(Ways::Values(values.clone()));
        self.by_values.insert(values, self.ways.len() - 1);
        self.ways.len() - 1
    }

    /// What a pointer to this type can be, in a variable of this name.
    pub(super) fn pointer(&mut self, to: Option<TypeId>, name: &str) -> usize {
        let to = to.and_then(|to| self.types.resolve(to));
        if let Some(values) = to.and_then(|to| self.not_made_of_bytes(to, name)) {
            return self.values(values);
        }
        if let Some(known) = self.by_target.get(&to) {
            return *known;
        }
        let ways = self.ways.len();
        self.by_target.insert(to, ways);
        self.ways.push(Ways::Objects {
            to,
            targets: Vec::new(),
        });
        let pool = self.pool(to);
        if let Ways::Objects { targets, .. } = &mut self.ways[ways] {
            targets.push((pool, 0));
        }
        ways
    }

    /// The pool of objects of a type.
    pub(super) fn pool(&mut self, ty: Option<TypeId>) -> usize {
        if let Some(known) = self.by_type.get(&ty) {
            return *known;
        }
        let pool = self.pools.len();
        self.by_type.insert(ty, pool);
        let options = self.options;
        let kind = ty.map(|ty| self.types.kind(ty));
        let (mut size, elements, ends) = match kind {
            // Text of unsigned characters ends like any other; bytes that do not end lose nothing.
            Some(Kind::Integer {
                character: true, ..
            }) => (1, options.max_string + 1, true),
            Some(Kind::Integer { name, .. }) if is_wide(name) => (0, options.max_string + 1, true),
            Some(Kind::Integer { .. } | Kind::Float { .. } | Kind::Bool | Kind::Enum { .. }) => {
                (0, options.max_elements, false)
            }
            Some(Kind::Pointer { .. }) => (8, POINTERS, true),
            Some(Kind::Struct { .. } | Kind::Union { .. }) => (0, 1, false),
            Some(Kind::Array { .. }) => (0, options.max_elements, false),
            _ => (1, UNKNOWN, false),
        };
        if size == 0 {
            size = ty.map_or(1, |ty| self.size(ty)).max(1);
        }
        let flexible = ty.and_then(|ty| self.types.flexible(ty));
        let extra = flexible.map_or(0, |(_, of)| self.size(of) * u64::from(options.max_elements));
        let name = match ty {
            Some(ty) => self.types.spell(ty).unwrap_or_else(|| "object".into()),
            None => "void".into(),
        };
        let name = self.free_name(&name);
        self.pools.push(Pool {
            name,
            ty,
            size,
            extra,
            elements,
            ends,
            most: options.max_objects,
            length: None,
            counted: false,
            cells: Vec::new(),
        });
        if let Some(ty) = ty {
            let mut cells = Vec::new();
            self.cells(ty, "", 0, 0, &mut cells);
            if let Some((offset, of)) = flexible {
                for index in 0..u64::from(options.max_elements) {
                    self.cells(of, "", offset + index * self.size(of), 1, &mut cells);
                }
            }
            self.pools[pool].cells = cells;
        }
        pool
    }

    /// Pointers to structs can lead into larger objects that have such a struct as a part, and
    /// pointers to pointers (`struct node **`) to members that are such pointers.
    pub(super) fn add_parts(&mut self) {
        for index in 0..self.ways.len() {
            let Ways::Objects {
                to: Some(to),
                targets,
            } = &self.ways[index]
            else {
                continue;
            };
            let (to, first) = (*to, targets[0].0);
            let is_part = match self.types.kind(to) {
                Kind::Struct { .. } | Kind::Union { .. } => true,
                Kind::Pointer { to } => matches!(
                    to.and_then(|to| self.types.resolved(to)),
                    Some(Kind::Struct { .. } | Kind::Union { .. })
                ),
                _ => false,
            };
            if !is_part {
                continue;
            }
            let mut parts = Vec::new();
            for (number, pool) in self.pools.iter().enumerate() {
                if number != first
                    && pool.elements == 1
                    && let Some(ty) = pool.ty
                {
                    self.parts(ty, to, 0, 0, &mut |offset| parts.push((number, offset)));
                }
            }
            if let Ways::Objects { targets, .. } = &mut self.ways[index] {
                targets.extend(parts);
            }
        }
    }

    fn parts(&self, ty: TypeId, wanted: TypeId, at: u64, depth: u32, found: &mut dyn FnMut(u64)) {
        let Some(Kind::Struct { members, .. }) = self.types.resolved(ty) else {
            return;
        };
        if depth > MAX_NESTING {
            return;
        }
        for member in members {
            if self.types.resolve(member.ty) == Some(wanted) {
                found(at + member.offset);
            }
            self.parts(member.ty, wanted, at + member.offset, depth + 1, found);
        }
    }

    /// Inputs are told apart by name.
    pub(super) fn free_name(&mut self, wanted: &str) -> String {
        let mut name: String = wanted.chars().take(40).collect();
        let mut count = 1;
        while self.names.contains(&name) {
            count += 1;
            name = format!("{} {count}", wanted.chars().take(36).collect::<String>());
        }
        self.names.push(name.clone());
        name
    }
}

/// Enumerators that are meant to be combined.
fn are_flags(values: &[(String, i128)]) -> bool {
    let bits = values
        .iter()
        .filter(|(_, value)| *value > 0 && value & (value - 1) == 0);
    let others = values.iter().filter(|(_, value)| *value != 0).count() - bits.clone().count();
    bits.clone().any(|(_, value)| *value >= 4) && others == 0
}

/// A constant as C has it.
fn constant(value: i128) -> String {
    match i64::try_from(value) {
        Ok(i64::MIN) => "0x8000000000000000ull".into(),
        Ok(value) => format!("{value}ll"),
        Err(_) => format!("{value}ull"),
    }
}
