//! The front end: the generated program as the native front end runs it, told in the model's terms.
//!
//! A site of the generated code is shown where its line came from, and what is no part of the model is
//! hidden. The control-flow graph that strategies go by is put together anew: in the program all
//! messages pass one place, from which everything seems equally far; in the model a transition leads to
//! a state, and from there only that state's transitions are near.

use crate::generate::{Generated, Origin};
use elsewise_explore::program::Program;
use elsewise_explore::schedule::Rule;
use elsewise_explore::{
    Blueprint, BlueprintBlock, BlueprintFunction, Case, Location, Outcome, RunError, SideId,
    StoryLine, Subject, Trace,
};
use elsewise_native::NativeSubject;
use elsewise_term::{Model as Values, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The function whose one site has a side for each element.
const REACHED: &str = "elw_reached";

/// Where generated lines come from.
#[derive(Clone, Debug)]
pub struct Places {
    /// Name of the generated file.
    file: String,
    /// The model's file, as it was given.
    model: String,
    origins: Arc<Vec<Option<Origin>>>,
}

impl Places {
    pub fn new(generated: &Generated, model: &str) -> Places {
        Places {
            file: generated.file.clone(),
            model: model.to_owned(),
            origins: Arc::new(generated.origins.clone()),
        }
    }

    fn origin(&self, location: &Location) -> Option<&Origin> {
        let name = Path::new(&location.file).file_name()?;
        if name.to_str() != Some(&self.file) {
            return None;
        }
        let line = (location.line as usize).checked_sub(1)?;
        self.origins.get(line)?.as_ref()
    }

    /// A place of the generated code as one of the model.
    pub fn of(&self, location: &Location) -> Option<Location> {
        let origin = self.origin(location)?;
        Some(Location {
            file: self.model.clone(),
            line: origin.place.line,
            column: origin.place.column,
            function: origin.element.clone(),
        })
    }

    /// How a run ended, with places of the model.
    pub fn outcome(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Failure {
                kind,
                message,
                place,
            } => {
                // What checks the model says itself where in the model it is.
                let ours = |at: &&Location| {
                    at.file == self.model || at.file == crate::project::rules_file(&self.model)
                };
                let first = Location::of_stack(&place).filter(ours).cloned();
                let mut told: Vec<Location> = place.iter().filter_map(|at| self.of(at)).collect();
                if let Some(first) = first {
                    let function = told.first().map(|at| at.function.clone());
                    told.insert(
                        0,
                        Location {
                            function: function.unwrap_or_default(),
                            ..first
                        },
                    );
                }
                let mut kept = match told.is_empty() {
                    true => place,
                    false => told,
                };
                kept.dedup();
                Outcome::Failure {
                    kind,
                    message,
                    place: kept,
                }
            }
            other => other,
        }
    }
}

/// Sides of the program that mean that an element of the model was reached.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    first: u32,
    count: u32,
}

impl Elements {
    /// As the program's blueprint, or a campaign's sites, tell them.
    pub fn find<'a>(mut sites: impl Iterator<Item = (&'a Location, u32, u32)>) -> Elements {
        let found =
            sites.find(|(location, _, sides)| plain(&location.function) == REACHED && *sides > 2);
        match found {
            // The last side is that of no element.
            Some((_, first, sides)) => Elements {
                first,
                count: sides - 1,
            },
            None => Elements::default(),
        }
    }

    /// The number of the element that a side stands for.
    pub fn of(&self, side: SideId) -> Option<usize> {
        let number = side.0.checked_sub(self.first)?;
        (number < self.count).then_some(number as usize)
    }
}

pub struct ChartSubject {
    inner: NativeSubject,
    blueprint: Blueprint,
    places: Places,
}

impl ChartSubject {
    pub fn new(inner: NativeSubject, generated: &Generated, model: &str) -> ChartSubject {
        let places = Places::new(generated, model);
        let mut blueprint = inner.blueprint().clone();
        let mut flows: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, next) in &generated.flows {
            let all = flows.entry(name).or_default();
            all.extend(next.iter().map(String::as_str));
        }
        blueprint.functions = vec![joined(&blueprint, &flows, &generated.hubs)];
        for site in &mut blueprint.sites {
            let own = Path::new(&site.location.file).file_name();
            let own = own.and_then(|name| name.to_str());
            if own == Some(&generated.main) {
                site.hidden = true;
            } else if own == Some(&generated.file) {
                let origin = places.origin(&site.location);
                site.hidden |= origin.is_none_or(|origin| origin.check);
                if let Some(location) = places.of(&site.location) {
                    site.location = location;
                }
            }
        }
        ChartSubject {
            inner,
            blueprint,
            places,
        }
    }
}

/// All functions as one, in which calls are ways that do not come back, and what a function leads to in
/// the machine follows at its end.
fn joined(
    blueprint: &Blueprint,
    flows: &BTreeMap<&str, BTreeSet<&str>>,
    hubs: &[String],
) -> BlueprintFunction {
    let mut first = Vec::new();
    let mut count = 0u32;
    let mut entries: BTreeMap<String, u32> = BTreeMap::new();
    for function in &blueprint.functions {
        first.push(count);
        if !function.blocks.is_empty() {
            entries.entry(plain(&function.name)).or_insert(count);
        }
        count += function.blocks.len() as u32;
    }
    let mut blocks = Vec::with_capacity(count as usize);
    for (function, base) in blueprint.functions.iter().zip(&first) {
        let name = plain(&function.name);
        let is_hub = hubs.contains(&name);
        let next: Vec<u32> = flows
            .get(name.as_str())
            .into_iter()
            .flat_map(|next| next.iter())
            .filter_map(|next| entries.get(*next).copied())
            .collect();
        for block in &function.blocks {
            let inside = |to: &&u32| (**to as usize) < function.blocks.len();
            let mut successors: Vec<u32> = block
                .successors
                .iter()
                .filter(inside)
                .map(|to| base + to)
                .collect();
            // A block with a site has as many ways out as the site has sides: others come behind.
            if successors.is_empty() && block.site.is_none() {
                successors.extend(&next);
            }
            if !is_hub {
                let called = block.calls.iter().filter_map(|call| {
                    let callee = blueprint.functions.get(*call as usize)?;
                    (!callee.blocks.is_empty()).then(|| first[*call as usize])
                });
                successors.extend(called);
            }
            blocks.push(BlueprintBlock {
                successors,
                calls: Vec::new(),
                site: block.site,
            });
        }
    }
    BlueprintFunction {
        name: "model".into(),
        blocks,
    }
}

/// A function's name as people write it, of one that C++ has put together with its parameters:
/// `Door::elw_on_it` of `_ZN4Door9elw_on_itE…`.
fn plain(name: &str) -> String {
    let Some(mangled) = name.strip_prefix("_Z") else {
        return name.to_owned();
    };
    let mut rest = mangled.trim_start_matches(['N', 'L', 'K']);
    let mut parts: Vec<&str> = Vec::new();
    loop {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let length = rest
            .get(..digits)
            .and_then(|text| text.parse::<usize>().ok());
        let end = length.and_then(|length| digits.checked_add(length));
        let Some((part, end)) = end.and_then(|end| Some((rest.get(digits..end)?, end))) else {
            break;
        };
        parts.push(part);
        rest = rest[end..].trim_start_matches('L');
        if !mangled.starts_with('N') {
            break;
        }
    }
    match parts.is_empty() {
        true => name.to_owned(),
        false => parts.join("::"),
    }
}

impl Subject for ChartSubject {
    fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    fn first_case(&self) -> Case {
        self.inner.first_case()
    }

    fn run(&mut self, case: &Case, terms: &mut Terms) -> Result<Trace, RunError> {
        let mut trace = self.inner.run(case, terms)?;
        trace.outcome = self.places.outcome(trace.outcome);
        Ok(trace)
    }

    fn sample(&mut self, case: &Case, rule: &Rule, terms: &mut Terms) -> Result<Trace, RunError> {
        let mut trace = self.inner.sample(case, rule, terms)?;
        trace.outcome = self.places.outcome(trace.outcome);
        Ok(trace)
    }

    fn apply_model(&self, case: &Case, terms: &Terms, model: &Values) -> Case {
        self.inner.apply_model(case, terms, model)
    }

    fn confirm(&mut self, case: &Case) -> Result<Outcome, RunError> {
        let outcome = self.inner.confirm(case)?;
        Ok(self.places.outcome(outcome))
    }

    fn program(&self) -> Result<Arc<Program>, String> {
        self.inner.program()
    }

    fn input_bytes(&self, case: &Case, name: &str, occurrence: u32) -> Vec<u8> {
        self.inner.input_bytes(case, name, occurrence)
    }

    fn input_key(&self, name: &str, occurrence: u32, offset: u32) -> Option<u64> {
        self.inner.input_key(name, occurrence, offset)
    }

    fn story(&mut self) -> Vec<StoryLine> {
        self.inner.story()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn member_functions_by_their_plain_names() {
        assert_eq!(plain("Door_on_Open"), "Door_on_Open");
        assert_eq!(
            plain("_ZN4Door11elw_on_OpenEP12Door_Message"),
            "Door::elw_on_Open"
        );
        assert_eq!(plain("_ZL11elw_reachedi"), "elw_reached");
        assert_eq!(plain("_ZN99"), "_ZN99");
    }
}
