//! Pointers behind which the types alone do not say what there is: arrays with their lengths, and
//! what a `void *` is taken for.

use super::plan::{Cell, Pool, RootLength, Ways, one};
use super::planner::{Long, Planner};
use super::said::usage;
use crate::types::{Function, Kind, TypeId, lengths};
use elsewise_driver::NativeError;

impl Planner<'_> {
    /// What a function takes its only `void *` for: the struct that one of its variables points to; or what
    /// callbacks of the file take it for that it may be given.
    pub(super) fn behind_void(&self, function: &Function) -> Option<TypeId> {
        let parameters = || function.parameters.iter().map(|parameter| parameter.ty);
        let is_void = |ty: &TypeId| self.is_void_pointer(*ty);
        if parameters().filter(is_void).count() != 1 {
            return None;
        }
        let callbacks = || {
            let to = parameters().filter_map(|ty| self.element(ty));
            let mut fitting = to.flat_map(|ty| self.of_the_file(ty));
            fitting.find_map(|callback| {
                let void = self.has_void_pointer(callback);
                self.taken_for(callback).filter(|_| void)
            })
        };
        self.taken_for(function).or_else(callbacks)
    }

    /// The struct that a variable of a function points to and none of its parameters.
    pub(super) fn taken_for(&self, function: &Function) -> Option<TypeId> {
        let known: Vec<TypeId> = function
            .parameters
            .iter()
            .filter_map(|parameter| self.element(parameter.ty))
            .collect();
        let is_new = |to: &TypeId| {
            matches!(self.types.kind(*to), Kind::Struct { .. }) && !known.contains(to)
        };
        let mut found = function.locals.iter().filter_map(|ty| self.element(*ty));
        found.find(is_new)
    }

    /// Parameters that are arrays, with those that say how long they are.
    pub(super) fn pairs(
        &self,
        function: &Function,
        names: &[String],
    ) -> Result<Vec<(usize, usize)>, NativeError> {
        let mut pairs = lengths(self.types, function);
        for (array, length) in &self.options.arrays {
            // Other functions of a sequence have other parameters.
            let known = names.contains(array) && names.contains(length);
            if !known && !self.options.sequence.is_empty() {
                continue;
            }
            let place = |name: &String| {
                names.iter().position(|known| known == name).ok_or_else(|| {
                    usage(format!(
                        "--array {array}:{length}: `{}` has no parameter `{name}`; it has {}",
                        function.name,
                        match names.is_empty() {
                            true => "none".into(),
                            false => names.join(", "),
                        }
                    ))
                })
            };
            let (array, length) = (place(array)?, place(length)?);
            pairs.retain(|(known, _)| *known != array);
            pairs.push((array, length));
        }
        for (array, length) in &pairs {
            let parameters = &function.parameters;
            let pointer = self.types.resolved(parameters[*array].ty);
            let integer = self.types.resolved(parameters[*length].ty);
            let fits = matches!(pointer, Some(Kind::Pointer { .. }))
                && matches!(integer, Some(Kind::Integer { .. }));
            if !fits {
                return Err(usage(format!(
                    "--array {}:{}: the first must be a pointer and the second an integer",
                    names[*array], names[*length]
                )));
            }
        }
        Ok(pairs)
    }

    /// A pointer with an array of its own behind it, or that of another parameter: those that are equally long may
    /// be the same.
    pub(super) fn array(&mut self, name: &str, ty: TypeId, long: Long) -> Cell {
        let element = self.element(ty);
        if let Some(ways) = element.and_then(|element| self.by_length.get(&(long, element)))
            && let Ways::Objects { targets, .. } = &self.ways[*ways]
        {
            self.pools[targets[0].0].most += 1;
            return one(0, 8, *ways);
        }
        let (ways, pool) = self.array_of(name, name, ty);
        match long {
            Long::As(length) => self.pools[pool].length = Some(length),
            Long::Exactly(elements) => self.pools[pool].elements = elements,
        }
        self.pools[pool].most = 1;
        if let Some(element) = element {
            self.by_length.insert((long, element), ways);
        }
        one(0, 8, ways)
    }

    /// Is an array of so many elements no larger than inputs should be?
    pub(super) fn fits(&self, ty: TypeId, elements: u32) -> bool {
        const MOST_BYTES: u64 = 4096;
        let size = self.element(ty).map_or(0, |element| self.size(element));
        (1..=MOST_BYTES).contains(&(size * u64::from(elements)))
    }

    /// Whether a parameter says how long arrays are, and how.
    pub(super) fn length_of(
        &self,
        pairs: &[(usize, usize)],
        index: usize,
        ty: TypeId,
    ) -> RootLength {
        let signed = matches!(
            self.types.resolved(ty),
            Some(Kind::Integer { signed: true, .. })
        );
        match pairs.iter().any(|(_, length)| *length == index) {
            true if signed => RootLength::Signed,
            true => RootLength::Unsigned,
            false => RootLength::None,
        }
    }

    fn element(&self, ty: TypeId) -> Option<TypeId> {
        match self.types.resolved(ty) {
            Some(Kind::Pointer { to }) => to.and_then(|to| self.types.resolve(to)),
            _ => None,
        }
    }

    /// Pointers that are a member of a struct, with arrays that another member counts.
    pub(super) fn member_array(
        &mut self,
        holder: TypeId,
        member: usize,
        name: &str,
        ty: TypeId,
    ) -> usize {
        if let Some(known) = self.by_member.get(&(holder, member)) {
            return *known;
        }
        let of = self.types.spell(holder);
        let input = format!("{}.{name}", of.unwrap_or_else(|| "object".into()));
        let (ways, pool) = self.array_of(&input, name, ty);
        self.pools[pool].counted = true;
        self.by_member.insert((holder, member), ways);
        ways
    }

    /// Pointers of this type and name that lead to arrays of their own, and those arrays' pool.
    fn array_of(&mut self, input: &str, name: &str, ty: TypeId) -> (usize, usize) {
        let element = self.element(ty);
        let size = element.map_or(1, |element| self.size(element).max(1));
        let pool = self.pools.len();
        let input = self.free_name(&format!("{input}[]"));
        self.pools.push(Pool {
            name: input,
            ty: element,
            size,
            extra: 0,
            elements: self.options.max_elements,
            ends: false,
            most: self.options.max_objects,
            length: None,
            counted: false,
            cells: Vec::new(),
        });
        let ways = self.ways.len();
        self.ways.push(Ways::Objects {
            to: element,
            targets: vec![(pool, 0)],
        });
        if let Some(element) = element {
            let mut cells = Vec::new();
            self.cells(element, name, 0, 0, &mut cells);
            self.pools[pool].cells = cells;
        }
        (ways, pool)
    }
}
