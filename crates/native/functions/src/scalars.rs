//! The plain values among the inputs of a case, each of which can be given another: numbers, letters,
//! and pointers that are null.

use super::images::{from_case, given_roots};
use super::plan::{Plan, Root, RootKind, RootLength, Ways};
use super::sequence::input;
use crate::types::{Kind, TypeId, Types};
use elsewise_driver::names;
use elsewise_explore::Case;

/// Elements of an array that are looked at.
const MAX_ELEMENTS: u64 = 64;
/// Values within values.
const MAX_NESTING: u32 = 16;

/// A number of a case: not a pointer, not one of a few names, not the length of anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The input that it is part of, and where.
    name: String,
    at: usize,
    size: usize,
    kind: ScalarKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScalarKind {
    Integer,
    Character,
    /// A character of a string, before its end.
    Letter,
    Float,
}

/// All numbers that a case gives to a function, or to the calls of a sequence, in their order, and the
/// letters of strings.
pub fn scalars(plan: &Plan, types: &Types, case: &Case) -> Vec<Scalar> {
    let mut found = Vec::new();
    for root in roots(plan, case).filter(|root| root.length == RootLength::None) {
        find(types, root.ty, &root.name, 0, 0, &mut found);
    }
    for (pool, number, bytes) in from_case(plan, case).sizes() {
        let pool = &plan.pools[pool];
        let one = pool.size + pool.extra;
        let from = number * one * u64::from(pool.elements);
        if pool.is_text() && pool.size == 1 {
            let text = input(case, &pool.name).iter().skip(from as usize);
            let text = text.take(bytes.saturating_sub(1)).take_while(|c| **c != 0);
            found.extend((from as usize..).zip(text).map(|(at, _)| Scalar {
                name: pool.name.clone(),
                at,
                size: 1,
                kind: ScalarKind::Letter,
            }));
            continue;
        }
        let Some(ty) = pool.ty else {
            continue;
        };
        let mut count = bytes as u64 / one.max(1);
        if pool.ends {
            count = count.saturating_sub(1);
        }
        for element in 0..count.min(MAX_ELEMENTS) {
            let at = from + element * one;
            find(types, ty, &pool.name, at, 0, &mut found);
        }
    }
    found
}

/// The roots that a case gives values to.
fn roots<'a>(plan: &'a Plan, case: &Case) -> impl Iterator<Item = &'a Root> + use<'a> {
    let sequence = plan.sequence.as_ref();
    let given = sequence.map_or(Vec::new(), |sequence| given_roots(sequence, case));
    let roots = plan.roots.iter().enumerate();
    roots.filter_map(move |(index, root)| {
        let counts = match root.kind {
            RootKind::Parameter | RootKind::Global => true,
            RootKind::Argument => given.contains(&index),
            RootKind::Stub | RootKind::Result => false,
        };
        counts.then_some(root)
    })
}

/// The case with one of its null pointers to a new object, for each parameter that is one, with the
/// parameter's name.
pub fn pointed(plan: &Plan, types: &Types, case: &Case) -> Vec<(String, Case)> {
    let mut cases = Vec::new();
    for root in roots(plan, case) {
        let is_null = input(case, &root.name).iter().all(|byte| *byte == 0);
        let pointer = matches!(types.resolved(root.ty), Some(Kind::Pointer { .. }));
        let ways = root.cells.first().map(|cell| &plan.ways[cell.ways]);
        let (true, true, Some(Ways::Objects { targets, .. })) = (is_null, pointer, ways) else {
            continue;
        };
        let (index, _) = targets[0];
        let pool = &plan.pools[index];
        let built = matches!(
            pool.ty.and_then(|ty| types.resolved(ty)),
            Some(Kind::Struct { .. } | Kind::Integer { .. } | Kind::Float { .. })
        );
        let objects = from_case(plan, case);
        let taken = objects.sizes().filter(|(of, ..)| *of == index);
        let number = taken.map(|(_, number, _)| number + 1).max().unwrap_or(0);
        let selector = 1 + number * targets.len() as u64;
        if !built || pool.length.is_some() || number >= pool.most.into() || selector > 255 {
            continue;
        }
        let mut other = case.clone();
        let mut image = vec![0; root.size as usize];
        image[0] = selector as u8;
        let key = names::key(root.name.as_bytes(), 0);
        other.inputs.insert(key, image);
        cases.push((root.name.clone(), other));
    }
    cases
}

fn find(types: &Types, ty: TypeId, name: &str, at: u64, depth: u32, found: &mut Vec<Scalar>) {
    let Some(id) = types.resolve(ty).filter(|_| depth < MAX_NESTING) else {
        return;
    };
    let size = types.get(id).size;
    let mut push = |kind| {
        found.push(Scalar {
            name: name.into(),
            at: at as usize,
            size: size as usize,
            kind,
        });
    };
    match types.kind(id) {
        Kind::Integer { character, .. } if size <= 8 => push(match character {
            true => ScalarKind::Character,
            false => ScalarKind::Integer,
        }),
        Kind::Float { .. } if size == 4 || size == 8 => push(ScalarKind::Float),
        Kind::Array { of, count } => {
            let one = types.resolve(*of).map_or(0, |of| types.get(of).size);
            for index in 0..count.unwrap_or(0).min(MAX_ELEMENTS) {
                find(types, *of, name, at + index * one, depth + 1, found);
            }
        }
        Kind::Struct { members, .. } => {
            for member in members.iter().filter(|member| member.bits.is_none()) {
                find(types, member.ty, name, at + member.offset, depth + 1, found);
            }
        }
        _ => {}
    }
}

impl Scalar {
    fn bytes<'a>(&self, case: &'a Case) -> &'a [u8] {
        let bytes = input(case, &self.name);
        let from = self.at.min(bytes.len());
        &bytes[from..bytes.len().min(from + self.size)]
    }

    /// A number that is zero; no letter is.
    pub fn is_zero(&self, case: &Case) -> bool {
        self.bytes(case).iter().all(|byte| *byte == 0)
    }

    /// The bits of an integer that nobody would choose: it takes more than a byte, whatever its sign.
    pub fn large(&self, case: &Case) -> Option<u64> {
        let mut bytes = self.bytes(case).to_vec();
        bytes.resize(self.size, 0);
        let rest = bytes.get(1..).filter(|rest| !rest.is_empty())?;
        let small = rest.iter().all(|byte| *byte == 0) || rest.iter().all(|byte| *byte == 0xff);
        let large = self.kind == ScalarKind::Integer && !small;
        bytes.resize(8, 0);
        large.then(|| u64::from_le_bytes(bytes.try_into().unwrap_or_default()))
    }

    /// The character, if it is one.
    pub fn character(&self, case: &Case) -> Option<u8> {
        match self.kind {
            ScalarKind::Character | ScalarKind::Letter => self.bytes(case).first().copied(),
            ScalarKind::Integer | ScalarKind::Float => None,
        }
    }

    /// Does it have the value that [`Scalar::set`] gives it for this number?
    pub fn is(&self, case: &Case, number: u8) -> bool {
        let value = self.value(number);
        let bytes = self.bytes(case);
        value.starts_with(bytes) && value[bytes.len()..].iter().all(|byte| *byte == 0)
    }

    /// Gives it the value of a small number: the number itself, a letter, or the number and a half.
    pub fn set(&self, case: &mut Case, number: u8) {
        let value = self.value(number);
        let key = names::key(self.name.as_bytes(), 0);
        let bytes = case.inputs.entry(key).or_default();
        if bytes.len() < self.at + self.size {
            bytes.resize(self.at + self.size, 0);
        }
        bytes[self.at..self.at + self.size].copy_from_slice(&value);
    }

    fn value(&self, number: u8) -> Vec<u8> {
        let mut value = match (self.kind, self.size) {
            (ScalarKind::Integer, _) => vec![number],
            (ScalarKind::Character | ScalarKind::Letter, _) => {
                vec![b'a' + number.saturating_sub(1) % 26]
            }
            (ScalarKind::Float, 4) => (f32::from(number) + 0.5).to_le_bytes().to_vec(),
            (ScalarKind::Float, _) => (f64::from(number) + 0.5).to_le_bytes().to_vec(),
        };
        value.resize(self.size, 0);
        value
    }
}
