//! The cases that become tests: few of those that pass, with all branch sides that any of them
//! reaches, one for each failure, and telling values where a case has nothing but zeros.
//!
//! Tests are exported from few of a campaign's cases. The instrumented program
//! is kept in the campaign for that: it tells all sides that a case reaches, not only those that it was the
//! first to reach, and whether a case with other values on which nothing seems to depend (`scalars.rs`)
//! takes the same way.

use crate::saved_function::{Explored, OBSERVED_CASE, SavedFunction};
use elsewise_campaign::{Finding, RunEnd, Store};
use elsewise_explore::{Case, SideId};
use elsewise_export::c::covering;
use elsewise_frontend::{Problem, campaigns, notices};
use elsewise_functions::{Scalar, pointed, scalars, stubs_return_zero};
use elsewise_graph::{Behaviour, Ending, Value};
use elsewise_report::SideNames;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Cases of which it is observed what they do, besides those that were the first to reach something: whoever explores
/// waits for that.
const OBSERVED: usize = 40;
/// Cases of which it is looked at what they reach.
const LOOKED_AT: usize = 1000;
/// Numbers of a case that get a value.
const NUMBERS: usize = 48;

/// A case that becomes a test; what comes of it is told as well.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    /// The run that it was made from.
    run: u64,
    inputs: BTreeMap<String, Vec<u8>>,
    reached: Vec<String>,
}

impl Chosen {
    fn case(&self) -> Case {
        Case {
            inputs: self.inputs.clone(),
            ..Case::default()
        }
    }
}

/// What the tests of a campaign are made from.
pub fn behaviours(function: &SavedFunction, store: &Store) -> Result<Vec<Behaviour>, Problem> {
    let (passing, failing, left_out) = cases(function, store)?;
    if left_out > 0 {
        let all = left_out + passing.len() + failing.len();
        notices::warning(&format!(
            "{left_out} of {all} cases are left out: in them, functions that nobody defines \
             return something else than zero; explore with the files that define them to keep these"
        ));
    }
    let mut behaviours = Vec::new();
    for one in tests(function, store, Instant::now())? {
        behaviours.extend(function.behaviour(one.run, &one.case(), None, one.reached.clone())?);
    }
    behaviours.retain(|behaviour| !matches!(behaviour.ending, Ending::Failed(_)));
    for finding in failing {
        let case = campaigns::case_of(store, &finding)?;
        behaviours.push(function.failing(&case, &finding));
    }
    Ok(behaviours)
}

/// The cases that pass and become tests: those that are kept, or what comes of many runs.
pub fn tests(
    function: &SavedFunction,
    store: &Store,
    end: Instant,
) -> Result<Vec<Chosen>, Problem> {
    let observations = function.observations();
    let choose = || {
        let cases = |chosen: &Vec<Chosen>| chosen.iter().map(Chosen::case).collect();
        observations.only(OBSERVED_CASE, || choose(function, store, end), cases)
    };
    observations.tests(choose)
}

fn choose(function: &SavedFunction, store: &Store, end: Instant) -> Result<Vec<Chosen>, Problem> {
    let mut explored = function.explored()?;
    let sites = store.sites()?;
    let names = SideNames::new(&sites);
    let (passing, ..) = cases(function, store)?;
    let passing = reaching(&passing, store, &mut explored, end)?;
    let mut all = BTreeMap::new();
    let mut candidates = Vec::new();
    for (run, sides) in passing {
        if Instant::now() > end {
            break;
        }
        let case = store.case(run)?;
        let reached = sides.iter().filter_map(|side| names.name(*side));
        let reached: Vec<String> = reached.collect();
        if let Some(behaviour) = function.behaviour(run, &case, None, reached)?
            && !matches!(behaviour.ending, Ending::Failed(_))
            && !calls_back(function, &behaviour)
        {
            candidates.push(behaviour);
            all.insert(run, case);
        }
    }
    let mut chosen = Vec::new();
    for behaviour in covering(&candidates) {
        let case = &all[&behaviour.case];
        let case = match Instant::now() > end {
            true => case.clone(),
            false => telling(function, &mut explored, case, behaviour)?,
        };
        chosen.push(Chosen {
            run: behaviour.case,
            inputs: case.inputs,
            reached: behaviour.reached.clone(),
        });
    }
    Ok(chosen)
}

/// Runs that pass, with the sides that they were the first to reach.
type Passing = Vec<(u64, Vec<SideId>)>;

/// The runs that pass and the findings that do not depend on what undefined functions return: those
/// return zeros in tests. And how many do.
fn cases(
    function: &SavedFunction,
    store: &Store,
) -> Result<(Passing, Vec<Finding>, usize), Problem> {
    let (mut passing, mut failing) = (Vec::new(), Vec::new());
    let stubbed = !function.plan.stubs.is_empty();
    let mut left_out = 0;
    let mut counts = |case: &Case| {
        let counts = !stubbed || stubs_return_zero(&function.plan, case);
        left_out += usize::from(!counts);
        counts
    };
    for info in campaigns::runs(store) {
        let info = info?;
        if !matches!(info.outcome, RunEnd::Exit(_)) {
            continue;
        }
        let case = store.case(info.run)?;
        if counts(&case) {
            passing.push((info.run, info.new));
        }
    }
    for finding in store.findings()? {
        if counts(&campaigns::case_of(store, &finding)?) {
            failing.push(finding);
        }
    }
    Ok((passing, failing, left_out))
}

/// The passing runs to look at closely, with all that each reaches: those that were the first to reach
/// something and the first of the others, and then any with a side that none of these has. A side that
/// a failing run was the first to reach may be reached by one that passes, too.
fn reaching(
    passing: &Passing,
    store: &Store,
    explored: &mut Explored,
    end: Instant,
) -> Result<Passing, Problem> {
    let mut order: Vec<&(u64, Vec<SideId>)> = passing.iter().collect();
    order.sort_by_key(|(run, new)| (new.is_empty(), *run));
    let mut reached: BTreeSet<SideId> = BTreeSet::new();
    let mut kept = Vec::new();
    let mut others = 0;
    for (run, new) in order.into_iter().take(LOOKED_AT) {
        if Instant::now() > end {
            break;
        }
        let case = store.case(*run)?;
        let Some(way) = explored.run(&case) else {
            continue;
        };
        let before = reached.len();
        reached.extend(&way.covered);
        if !new.is_empty() || others < OBSERVED || reached.len() > before {
            others += usize::from(new.is_empty());
            kept.push((*run, way.covered));
        }
    }
    kept.sort_unstable();
    Ok(kept)
}

/// A case of the same behaviour with inputs that tell more, where its way does not depend on them: pointers to
/// something in the place of null, where that turns up again, numbers in the place of zeros, small
/// ones in the place of large ones, and letters in the place of what no keyboard has.
fn telling(
    function: &SavedFunction,
    explored: &mut Explored,
    case: &Case,
    behaviour: &Behaviour,
) -> Result<Case, Problem> {
    let Some(way) = explored.run(case) else {
        return Ok(case.clone());
    };
    let observe = |case: &Case| -> Result<Option<Behaviour>, Problem> {
        let reached = behaviour.reached.clone();
        let other = function.behaviour(behaviour.case, case, None, reached)?;
        Ok(other.filter(|other| other.ending == behaviour.ending))
    };
    let mut best = case.clone();
    for (name, _) in pointed(&function.plan, &function.types, case) {
        let others = pointed(&function.plan, &function.types, &best);
        let other = others.into_iter().find(|(other, _)| *other == name);
        if let Some((_, other)) = other
            && explored.run(&other).is_some_and(|other| other == way)
            && observe(&other)?.is_some_and(|seen| turns_up(&seen, &name))
        {
            best = other;
        }
    }
    let mut tries = |tried: &Case| explored.run(tried).is_some_and(|other| other == way);
    let best = with_numbers(function, best, &mut tries);
    let best = with_small_ones(function, best, &mut tries);
    let best = with_letters(function, best, &mut tries);
    match best == *case || observe(&best)?.is_none() {
        true => Ok(case.clone()),
        false => Ok(best),
    }
}

/// Whether what an argument points to is found elsewhere after the calls.
fn turns_up(behaviour: &Behaviour, argument: &str) -> bool {
    let arguments = behaviour.calls.iter().flat_map(|call| &call.arguments);
    let target = |value: &Value| match value {
        Value::Pointer { object, .. } => Some(*object),
        _ => None,
    };
    let mut named = arguments.filter(|field| argument.ends_with(&field.name));
    let Some(object) = named.find_map(|field| target(&field.value)) else {
        return false;
    };
    let results = behaviour
        .calls
        .iter()
        .filter_map(|call| call.result.as_ref());
    let after = behaviour.after.iter();
    let objects = after
        .clone()
        .flat_map(|graph| graph.objects.iter().enumerate());
    let others = objects.filter(|(at, _)| *at != object);
    results
        .chain(after.flat_map(|graph| &graph.roots))
        .map(|field| &field.value)
        .chain(others.map(|(_, other)| &other.value))
        .any(|value| leads_to(value, object))
}

fn leads_to(value: &Value, wanted: usize) -> bool {
    has(
        value,
        &|part| matches!(part, Value::Pointer { object, .. } if *object == wanted),
    )
}

/// Whether a case passes a function that only the exploration has in the place of a caller's.
fn calls_back(function: &SavedFunction, behaviour: &Behaviour) -> bool {
    let callbacks = &function.plan.callbacks;
    let own = |part: &Value| matches!(part, Value::Named(name) if callbacks.iter().any(|own| own.name == *name));
    let before = &behaviour.before;
    let arguments = behaviour.calls.iter().flat_map(|call| &call.arguments);
    let fields = before.roots.iter().chain(arguments);
    fields
        .map(|field| &field.value)
        .chain(before.objects.iter().map(|object| &object.value))
        .any(|value| has(value, &own))
}

fn has(value: &Value, test: &dyn Fn(&Value) -> bool) -> bool {
    test(value)
        || match value {
            Value::Struct(fields) => fields.iter().any(|field| has(&field.value, test)),
            Value::Union(field) => has(&field.value, test),
            Value::Array(values) => values.iter().any(|value| has(value, test)),
            _ => false,
        }
}

/// Small numbers, each its own, in the place of zeros: a test that passes zeros does not notice where
/// they go.
fn with_numbers(
    function: &SavedFunction,
    case: Case,
    tries: &mut dyn FnMut(&Case) -> bool,
) -> Case {
    let all = scalars(&function.plan, &function.types, &case);
    let mut numbers = (1..=u8::MAX).filter(|n| !all.iter().any(|s| s.is(&case, *n)));
    let zeros = all.iter().filter(|scalar| scalar.is_zero(&case));
    let open: Vec<(&Scalar, u8)> = zeros.take(NUMBERS).zip(&mut numbers).collect();
    let common = numbers.next();
    let mut best = case.clone();
    // All at once, then halves of what was not possible at once.
    let mut waiting = vec![&open[..]];
    while let Some(some) = waiting.pop().filter(|some| !some.is_empty()) {
        let mut tried = best.clone();
        for (scalar, number) in some {
            scalar.set(&mut tried, *number);
        }
        if tries(&tried) {
            best = tried;
        } else if some.len() > 1 {
            let (first, second) = some.split_at(some.len() / 2);
            waiting.extend([second, first]);
        }
    }
    // What must be equal can be another number together.
    let mut tried = best.clone();
    for (scalar, _) in open.iter().filter(|(scalar, _)| scalar.is_zero(&best)) {
        if let Some(number) = common {
            scalar.set(&mut tried, number);
        }
    }
    match tries(&tried) {
        true => tried,
        false => best,
    }
}

/// Small numbers in the place of large ones, the same for the same.
fn with_small_ones(
    function: &SavedFunction,
    case: Case,
    tries: &mut dyn FnMut(&Case) -> bool,
) -> Case {
    let all = scalars(&function.plan, &function.types, &case);
    let large: BTreeSet<u64> = all.iter().filter_map(|s| s.large(&case)).collect();
    let numbers = (1..=u8::MAX).filter(|n| !all.iter().any(|s| s.is(&case, *n)));
    let mut best = case.clone();
    for (large, number) in large.into_iter().zip(numbers) {
        let mut tried = best.clone();
        for scalar in all.iter().filter(|s| s.large(&case) == Some(large)) {
            scalar.set(&mut tried, number);
        }
        if tries(&tried) {
            best = tried;
        }
    }
    best
}

/// Letters in the place of characters that nobody can read, the same for the same.
fn with_letters(
    function: &SavedFunction,
    case: Case,
    tries: &mut dyn FnMut(&Case) -> bool,
) -> Case {
    let all = scalars(&function.plan, &function.types, &case);
    let character = |scalar: &Scalar| scalar.character(&case).filter(|c| *c != 0);
    let present: BTreeSet<u8> = all.iter().filter_map(character).collect();
    let odd = present.iter().filter(|c| !(b' '..=b'~').contains(*c));
    let letters = (1..=26).filter(|number| !present.contains(&(b'a' + number - 1)));
    let mut best = case.clone();
    for (odd, letter) in odd.zip(letters) {
        let mut tried = best.clone();
        for scalar in all.iter().filter(|scalar| character(scalar) == Some(*odd)) {
            scalar.set(&mut tried, letter);
        }
        if tries(&tried) {
            best = tried;
        }
    }
    best
}
