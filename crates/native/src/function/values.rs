//! A case of a function, and what it left behind, as values that its programmer knows.

use super::calls::given_roots;
use super::numbers::{extended, integer, number};
use super::plan::{Cell, Plan, Pool, Root, RootKind, RootLength, Stub, Ways};
use super::pointers::target;
use super::sequence::input;
use super::write;
use crate::types::{BitField, Kind, Member, TypeId, Types};
use elsewise_explore::Case;
use elsewise_graph::{Call, Field, Graph, Object, Value};
use std::collections::BTreeMap;

/// Objects of a graph that are looked at, whatever a case says.
const MAX_OBJECTS: usize = 4096;
/// Calls of a stub that are shown.
const MAX_CALLS: usize = 16;
/// Values within values.
pub(super) const MAX_NESTING: u32 = 32;

/// An object: its pool, and its number there.
pub(super) type Name = (usize, u64);

/// Images of memory, with selectors in the place of pointers.
#[derive(Clone, Debug, Default)]
pub(super) struct Images {
    roots: BTreeMap<String, Vec<u8>>,
    /// In the order in which they are shown.
    objects: Vec<(Name, Vec<u8>)>,
    freed: Vec<Name>,
    /// What the steps of a sequence returned.
    pub(super) steps: BTreeMap<usize, Vec<u8>>,
    /// Selectors fill their cells, and all bits set is a pointer to something else.
    pub(super) wide: bool,
}

impl Images {
    /// The objects: pool, number and bytes.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (usize, u64, usize)> {
        let objects = self.objects.iter();
        objects.map(|((pool, number), image)| (*pool, *number, image.len()))
    }
}

/// What the harness wrote down after the call.
#[derive(Clone, Debug)]
pub struct Observed {
    images: Images,
    /// The last call has returned.
    pub ended: bool,
}

impl Observed {
    /// Reads what `elsewise_graph_end` wrote; none if it is not whole.
    pub fn read(plan: &Plan, mut bytes: &[u8]) -> Option<Observed> {
        let mut images = Images {
            wide: true,
            ..Images::default()
        };
        let mut ended = false;
        while !bytes.is_empty() {
            let end = bytes.iter().position(|byte| *byte == b'\n')?;
            let head = std::str::from_utf8(&bytes[..end]).ok()?;
            bytes = &bytes[end + 1..];
            let (kind, rest) = head.split_once(' ')?;
            let (number, rest) = rest.split_once(' ')?;
            let number: u64 = number.parse().ok()?;
            let size;
            match kind {
                "root" | "result" => {
                    size = usize::try_from(number).ok()?;
                    let image = bytes.get(..size)?.to_vec();
                    images.roots.insert(rest.to_string(), image);
                }
                "object" | "freed" => {
                    let (count, name) = rest.split_once(' ')?;
                    let pool = plan.pools.iter().position(|pool| pool.name == name)?;
                    let one = (plan.pools[pool].size + plan.pools[pool].extra) as usize;
                    size = one.checked_mul(count.parse().ok()?)?;
                    let image = bytes.get(..size)?.to_vec();
                    images.objects.push(((pool, number), image));
                    if kind == "freed" {
                        images.freed.push((pool, number));
                    }
                }
                "step" => {
                    size = usize::try_from(number).ok()?;
                    let image = bytes.get(..size)?.to_vec();
                    images.steps.insert(rest.parse().ok()?, image);
                }
                "end" => {
                    size = 0;
                    ended = true;
                }
                _ => return None,
            }
            bytes = bytes.get(size..)?;
        }
        Some(Observed { images, ended })
    }
}

/// The values that a case gives to a function, or to the calls of a sequence.
pub struct CaseValues {
    /// More than one for a sequence.
    pub calls: Vec<Call>,
    /// Its roots are globals.
    pub graph: Graph,
    /// What stubs return.
    pub stubs: Vec<Field>,
    names: Vec<Name>,
}

impl CaseValues {
    pub fn new(plan: &Plan, types: &Types, case: &Case) -> CaseValues {
        let images = from_case(plan, case);
        let names: Vec<Name> = images.objects.iter().map(|(name, _)| *name).collect();
        let reader = Reader::new(plan, types, &images, &names);
        let (arguments, roots) = plan
            .roots
            .iter()
            .filter(|root| matches!(root.kind, RootKind::Parameter | RootKind::Global))
            .partition::<Vec<&Root>, _>(|root| root.kind == RootKind::Parameter);
        let graph = Graph {
            roots: roots.into_iter().map(|root| reader.root(root)).collect(),
            objects: reader.objects(),
        };
        let calls = match &plan.sequence {
            Some(sequence) => reader.calls(sequence, case),
            None => vec![Call {
                function: plan.function.name.clone(),
                arguments: arguments
                    .into_iter()
                    .map(|root| reader.root(root))
                    .collect(),
                result: None,
                returns: plan.result.as_ref().map(|root| reader.spell(root.ty)),
            }],
        };
        let stubs = plan.roots.iter().enumerate();
        let stubs = stubs.filter(|(_, root)| root.kind == RootKind::Stub);
        let stubs = stubs.flat_map(|(index, root)| {
            let used = |stub: &Stub| stub.used && stub.root == Some(index);
            reader.returned(root, input(case, &root.name), plan.stubs.iter().any(used))
        });
        CaseValues {
            calls,
            graph,
            stubs: stubs.collect(),
            names,
        }
    }

    /// The graph with the arguments as roots too: what a picture shows.
    pub fn whole(&self) -> Graph {
        let mut graph = self.graph.clone();
        let pointers = |value: &Value| matches!(value, Value::Pointer { .. });
        let arguments = match &self.calls[..] {
            [call] => call.arguments.clone(),
            // Which call they belong to is said where the calls are.
            calls => {
                let mut arguments: Vec<Field> = Vec::new();
                for field in calls.iter().flat_map(|call| &call.arguments) {
                    if pointers(&field.value) && !arguments.contains(field) {
                        arguments.push(field.clone());
                    }
                }
                arguments
            }
        };
        graph.roots.splice(0..0, arguments);
        graph.roots.extend(self.stubs.iter().cloned());
        graph
    }

    /// Memory after the calls, its objects in the same places, and the calls with what they
    /// returned, up to the first that did not.
    pub fn after(&self, plan: &Plan, types: &Types, observed: &Observed) -> (Graph, Vec<Call>) {
        let reader = Reader::new(plan, types, &observed.images, &self.names);
        let globals = plan
            .roots
            .iter()
            .filter(|root| root.kind == RootKind::Global);
        let graph = Graph {
            roots: globals.map(|root| reader.root(root)).collect(),
            objects: reader.objects(),
        };
        let mut calls = self.calls.clone();
        match &plan.sequence {
            None => calls[0].result = plan.result.as_ref().map(|root| reader.root(root)),
            Some(sequence) => {
                reader.results(sequence, &mut calls);
                if !observed.ended {
                    calls.truncate(observed.images.steps.len() + 1);
                }
            }
        }
        (graph, calls)
    }
}

/// Do stubs return nothing but zeros in this case?
pub fn stubs_return_zero(plan: &Plan, case: &Case) -> bool {
    let mut stubs = plan.roots.iter().filter(|root| root.kind == RootKind::Stub);
    stubs.all(|root| input(case, &root.name).iter().all(|byte| *byte == 0))
}

/// The images of a case: of everything that its roots lead to.
pub(super) fn from_case(plan: &Plan, case: &Case) -> Images {
    let stream = |name: &str| input(case, name);
    let part = |bytes: &[u8], from: u64, size: u64| {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let mut image: Vec<u8> = bytes
            .iter()
            .skip(from)
            .take(size as usize)
            .copied()
            .collect();
        image.resize(size as usize, 0);
        image
    };
    let mut images = Images::default();
    let mut waiting: Vec<(Name, u64)> = Vec::new();
    let sequence = plan.sequence.as_ref();
    let shared = sequence.and_then(|sequence| Some((sequence.shared?, 0)));
    waiting.extend(shared.map(|name| (name, 0)));
    let given = sequence.map_or(Vec::new(), |sequence| given_roots(sequence, case));
    for (index, root) in plan.roots.iter().enumerate() {
        let image = part(stream(&root.name), 0, root.size);
        let counts = match root.kind {
            RootKind::Stub => false,
            RootKind::Argument => given.contains(&index),
            _ => true,
        };
        if counts {
            lead(plan, &root.cells, &image, &mut |name, length| {
                waiting.push((name, length));
            });
        }
        images.roots.insert(root.name.clone(), image);
    }
    let mut next = 0;
    while let Some((name, length)) = waiting.get(next).copied() {
        next += 1;
        let pool = &plan.pools[name.0];
        let one = pool.size + pool.extra;
        let count = match pool.counted {
            true => length.min(pool.elements.into()),
            false => elements(plan, pool, &images),
        };
        let place = images.objects.iter().position(|(known, _)| *known == name);
        // Whoever says most about its length is right.
        let shorter = |at: usize| (images.objects[at].1.len() as u64) < one * count;
        if place.is_some_and(|at| !shorter(at)) || images.objects.len() >= MAX_OBJECTS {
            continue;
        }
        let mut taken = count;
        if pool.ends && taken > 0 {
            taken -= 1;
        }
        let from = name.1 * one * u64::from(pool.elements);
        let mut image = match shared == Some(name) {
            true => Vec::new(),
            false => part(stream(&pool.name), from, one * taken),
        };
        image.resize((one * count) as usize, 0);
        for element in image.chunks(one as usize) {
            lead(plan, &pool.cells, element, &mut |name, length| {
                waiting.push((name, length));
            });
        }
        match place {
            Some(at) => images.objects[at].1 = image,
            None => images.objects.push((name, image)),
        }
    }
    images
}

fn elements(plan: &Plan, pool: &Pool, images: &Images) -> u64 {
    let Some(root) = pool.length else {
        return pool.elements.into();
    };
    let root = &plan.roots[root];
    let image = images.roots.get(&root.name);
    let value = image.map_or(0, |image| number(image));
    let negative = root.length == RootLength::Signed && value >> (8 * root.size - 1) & 1 != 0;
    match negative {
        true => pool.elements.into(),
        false => value.min(pool.elements.into()),
    }
}

/// The objects that an image's cells lead to, with what the image says about their lengths.
fn lead(plan: &Plan, cells: &[Cell], image: &[u8], each: &mut dyn FnMut(Name, u64)) {
    for cell in cells {
        for index in 0..cell.count {
            let at = (cell.offset + index * cell.stride) as usize;
            let ways = &plan.ways[cell.ways];
            let width = write::width(plan, ways, cell.size) as usize;
            let Some(bytes) = image.get(at..at + width) else {
                continue;
            };
            let selector = number(bytes).min(write::entries(plan, ways) - 1);
            if let Some((name, _)) = target(plan, ways, selector) {
                let length = cell.length.and_then(|length| {
                    let at = (length.offset + index * cell.stride) as usize;
                    image.get(at..at + length.size as usize)
                });
                each(name, length.map_or(0, number));
            }
        }
    }
}

/// Images as values.
pub(super) struct Reader<'a> {
    pub(super) plan: &'a Plan,
    pub(super) types: &'a Types,
    pub(super) images: &'a Images,
    names: &'a [Name],
    pub(super) places: BTreeMap<Name, usize>,
}

impl<'a> Reader<'a> {
    fn new(plan: &'a Plan, types: &'a Types, images: &'a Images, names: &'a [Name]) -> Reader<'a> {
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
    fn returned(&self, root: &Root, bytes: &[u8], used: bool) -> Vec<Field> {
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

    fn objects(&self) -> Vec<Object> {
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
