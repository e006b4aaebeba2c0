//! Images of memory: what a case lays out, and the objects that its roots lead to.

use super::numbers::number;
use super::plan::{Argument, Cell, Plan, Pool, RootKind, RootLength, Sequence, Ways};
use super::sequence::input;
use super::write;
use elsewise_explore::Case;
use std::collections::BTreeMap;

/// Objects of a graph that are looked at, whatever a case says.
const MAX_OBJECTS: usize = 4096;

/// An object: its pool, and its number there.
pub(super) type Name = (usize, u64);

/// Images of memory, with selectors in the place of pointers.
#[derive(Clone, Debug, Default)]
pub(super) struct Images {
    pub(super) roots: BTreeMap<String, Vec<u8>>,
    /// In the order in which they are shown.
    pub(super) objects: Vec<(Name, Vec<u8>)>,
    pub(super) freed: Vec<Name>,
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

/// The object that a selector leads to, and the offset into it.
pub(super) fn target(plan: &Plan, ways: &Ways, selector: u64) -> Option<(Name, u64)> {
    let Ways::Objects { targets, .. } = ways else {
        return None;
    };
    let place = selector.checked_sub(1)?;
    let count = targets.len() as u64;
    let (pool, offset) = targets[(place % count) as usize];
    let number = place / count;
    (number < plan.pools[pool].most.into()).then_some(((pool, number), offset))
}

/// The roots that the calls of a case are given.
pub(super) fn given_roots(sequence: &Sequence, case: &Case) -> Vec<usize> {
    let mut given = Vec::new();
    for (operation, count) in sequence.called(case) {
        for argument in &sequence.operations[operation].arguments {
            if let Argument::Input(roots) = argument {
                given.push(roots[count]);
            }
        }
    }
    given
}
