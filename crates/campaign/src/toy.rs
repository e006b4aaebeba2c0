//! A toy subject for tests and measurements: programs of a tiny language over a few input bytes,
//! interpreted in this process, with terms made directly. Small enough to be run on every input
//! there is.

mod random;

pub use random::random_program;

use crate::{Budget, CampaignError, Options, Summary, explore};
use elsewise_explore::{
    Blueprint, BlueprintBlock, BlueprintFunction, Case, Choice, Location, Outcome, RunError, Shape,
    SideId, SiteId, SiteInfo, Subject, Trace,
};
use elsewise_term::{Bits, Model, Op, Sort, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Clone, Debug)]
pub enum Expr {
    Input(usize),
    Const(u8),
    Add(Box<Expr>, Box<Expr>),
    Xor(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
    /// What the last `Stmt::Concrete` fixed.
    Fixed,
}

#[derive(Clone, Debug)]
pub enum Cond {
    Less(Expr, Expr),
    Equal(Expr, Expr),
}

#[derive(Clone, Debug)]
pub enum Stmt {
    If(u32, Cond, Vec<Stmt>, Vec<Stmt>),
    Switch(u32, Expr, Vec<u8>, Vec<Vec<Stmt>>),
    /// Goes on with one concrete value of the expression.
    Concrete(u32, Expr),
    Assume(u32, Cond),
    Fail(&'static str, u32),
    /// Repeats its body, with `Fixed` counting up, while the condition holds.
    While(u32, Cond, Vec<Stmt>),
    Exit(i32),
}

/// What a run of a program makes of its inputs; the interpreter with terms and the one without
/// differ in nothing else.
trait Machine {
    type Value: Clone;
    fn input(&mut self, index: usize) -> Self::Value;
    fn constant(&mut self, value: u8) -> Self::Value;
    fn apply(&mut self, op: Op, a: &Self::Value, b: &Self::Value) -> Self::Value;
    fn compare(&mut self, op: Op, a: &Self::Value, b: &Self::Value) -> (bool, Option<TermId>);
    fn concrete(&self, value: &Self::Value) -> u8;
    fn term(&self, value: &Self::Value) -> Option<TermId>;
    fn choose(&mut self, site: u32, taken: u64, shape: ChoiceShape);
}

enum ChoiceShape {
    Branch(Option<TermId>),
    Switch(Option<TermId>, Vec<u8>),
    Value(Option<TermId>, u8),
    Assume(Option<TermId>),
}

fn value<M: Machine>(m: &mut M, expr: &Expr, fixed: &M::Value) -> M::Value {
    let both = |m: &mut M, op, a: &Expr, b: &Expr| {
        let (a, b) = (value(m, a, fixed), value(m, b, fixed));
        m.apply(op, &a, &b)
    };
    match expr {
        Expr::Input(index) => m.input(*index),
        Expr::Const(constant) => m.constant(*constant),
        Expr::Add(a, b) => both(m, Op::BvAdd, a, b),
        Expr::Xor(a, b) => both(m, Op::BvXor, a, b),
        Expr::Mul(a, b) => both(m, Op::BvMul, a, b),
        Expr::Fixed => fixed.clone(),
    }
}

fn condition<M: Machine>(m: &mut M, cond: &Cond, fixed: &M::Value) -> (bool, Option<TermId>) {
    let (op, a, b) = match cond {
        Cond::Less(a, b) => (Op::BvUlt, a, b),
        Cond::Equal(a, b) => (Op::Eq, a, b),
    };
    let (a, b) = (value(m, a, fixed), value(m, b, fixed));
    m.compare(op, &a, &b)
}

fn execute<M: Machine>(m: &mut M, body: &[Stmt], fixed: &mut M::Value) -> Option<Outcome> {
    for stmt in body {
        match stmt {
            Stmt::If(site, cond, then, otherwise) => {
                let (holds, term) = condition(m, cond, fixed);
                m.choose(*site, u64::from(!holds), ChoiceShape::Branch(term));
                let body = if holds { then } else { otherwise };
                if let Some(end) = execute(m, body, fixed) {
                    return Some(end);
                }
            }
            Stmt::Switch(site, expr, cases, bodies) => {
                let on = value(m, expr, fixed);
                let concrete = m.concrete(&on);
                let case = cases.iter().position(|case| *case == concrete);
                let taken = case.unwrap_or(cases.len());
                let term = m.term(&on);
                m.choose(
                    *site,
                    taken as u64,
                    ChoiceShape::Switch(term, cases.clone()),
                );
                if let Some(end) = bodies.get(taken).and_then(|body| execute(m, body, fixed)) {
                    return Some(end);
                }
            }
            Stmt::Concrete(site, expr) => {
                let on = value(m, expr, fixed);
                let concrete = m.concrete(&on);
                let term = m.term(&on);
                m.choose(
                    *site,
                    u64::from(concrete),
                    ChoiceShape::Value(term, concrete),
                );
                *fixed = m.constant(concrete);
            }
            Stmt::Assume(site, cond) => {
                let (holds, term) = condition(m, cond, fixed);
                m.choose(*site, u64::from(!holds), ChoiceShape::Assume(term));
                if !holds {
                    return Some(Outcome::Assumed);
                }
            }
            Stmt::While(site, cond, body) => {
                for count in 0..=255 {
                    *fixed = m.constant(count);
                    let (holds, term) = condition(m, cond, fixed);
                    m.choose(*site, u64::from(!holds), ChoiceShape::Branch(term));
                    if !holds {
                        break;
                    }
                    if let Some(end) = execute(m, body, fixed) {
                        return Some(end);
                    }
                }
            }
            Stmt::Fail(kind, line) => {
                return Some(Outcome::Failure {
                    kind: (*kind).into(),
                    message: format!("{kind} at {line}"),
                    place: vec![Location {
                        file: "toy".to_owned(),
                        line: *line,
                        column: 1,
                        function: "main".to_owned(),
                    }],
                });
            }
            Stmt::Exit(code) => return Some(Outcome::Exit(*code)),
        }
    }
    None
}

/// The plain build: values only.
struct Plain<'a> {
    bytes: &'a [u8],
    path: Vec<(u32, u64)>,
}

impl Machine for Plain<'_> {
    type Value = u8;
    fn input(&mut self, index: usize) -> u8 {
        self.bytes.get(index).copied().unwrap_or(0)
    }
    fn constant(&mut self, value: u8) -> u8 {
        value
    }
    fn apply(&mut self, op: Op, a: &u8, b: &u8) -> u8 {
        arithmetic(op, *a, *b)
    }
    fn compare(&mut self, op: Op, a: &u8, b: &u8) -> (bool, Option<TermId>) {
        (if op == Op::Eq { a == b } else { a < b }, None)
    }
    fn concrete(&self, value: &u8) -> u8 {
        *value
    }
    fn term(&self, _: &u8) -> Option<TermId> {
        None
    }
    fn choose(&mut self, site: u32, taken: u64, _: ChoiceShape) {
        self.path.push((site, taken));
    }
}

fn arithmetic(op: Op, a: u8, b: u8) -> u8 {
    match op {
        Op::BvAdd => a.wrapping_add(b),
        Op::BvXor => a ^ b,
        _ => a.wrapping_mul(b),
    }
}

/// The instrumented build: values with terms.
struct Traced<'a> {
    bytes: &'a [u8],
    terms: &'a mut Terms,
    present: Model,
    choices: Vec<Choice>,
    covered: BTreeSet<SideId>,
    sites: &'a [SiteInfo],
}

impl Machine for Traced<'_> {
    type Value = (u8, TermId);
    fn input(&mut self, index: usize) -> (u8, TermId) {
        let byte = self.bytes.get(index).copied().unwrap_or(0);
        let term = self.terms.variable(index as u64, Sort::BitVec(8));
        let var = self.terms.as_var(term).expect("an input");
        self.present.set(var, Bits::new(8, u64::from(byte)));
        (byte, term)
    }
    fn constant(&mut self, value: u8) -> (u8, TermId) {
        (value, self.terms.bits(8, u64::from(value)))
    }
    fn apply(&mut self, op: Op, a: &(u8, TermId), b: &(u8, TermId)) -> (u8, TermId) {
        (arithmetic(op, a.0, b.0), self.terms.bv(op, &[a.1, b.1]))
    }
    fn compare(&mut self, op: Op, a: &(u8, TermId), b: &(u8, TermId)) -> (bool, Option<TermId>) {
        match op {
            Op::Eq => (a.0 == b.0, Some(self.terms.eq(a.1, b.1))),
            _ => (a.0 < b.0, Some(self.terms.compare(op, a.1, b.1))),
        }
    }
    fn concrete(&self, value: &(u8, TermId)) -> u8 {
        value.0
    }
    fn term(&self, value: &(u8, TermId)) -> Option<TermId> {
        Some(value.1)
    }
    fn choose(&mut self, site: u32, taken: u64, shape: ChoiceShape) {
        let term = |term: Option<TermId>| term.expect("a term");
        let shape = match shape {
            ChoiceShape::Branch(condition) => Shape::Branch {
                condition: term(condition),
            },
            ChoiceShape::Assume(condition) => Shape::Assume {
                condition: term(condition),
            },
            ChoiceShape::Value(on, value) => Shape::Value {
                term: term(on),
                value: self.terms.bits(8, u64::from(value)),
                alike: None,
            },
            ChoiceShape::Switch(on, cases) => Shape::Switch {
                term: term(on),
                cases: cases
                    .iter()
                    .map(|case| self.terms.bits(8, u64::from(*case)))
                    .collect(),
            },
        };
        let info = &self.sites[site as usize];
        if taken < u64::from(info.sides) {
            self.covered.insert(SideId(info.first_side + taken as u32));
        }
        self.choices.push(Choice {
            site: SiteId(site),
            taken,
            shape,
        });
    }
}

#[derive(Clone)]
pub struct Toy {
    pub body: Arc<Vec<Stmt>>,
    pub blueprint: Blueprint,
    pub size: usize,
    /// The plain build does not fail.
    pub harmless: bool,
    /// Models change nothing: every new case is the old one.
    pub stubborn: bool,
    /// Every this many runs, the trace claims something else than what happened.
    pub lie_every: Option<u64>,
    pub runs: u64,
}

impl Toy {
    pub fn new(build: &str, body: Vec<Stmt>, size: usize) -> Toy {
        let mut sides = BTreeMap::new();
        count_sides(&body, &mut sides);
        let mut sites = Vec::new();
        let mut first_side = 0;
        for site in 0..sides.last_key_value().map_or(0, |(last, _)| last + 1) {
            let count = sides.get(&site).copied().unwrap_or(0);
            sites.push(SiteInfo {
                key: u64::from(site),
                location: Location {
                    file: "toy".to_owned(),
                    line: site + 1,
                    column: 1,
                    function: "main".to_owned(),
                },
                first_side,
                sides: count,
                hidden: false,
                inserted: false,
                clauses: false,
                callee: String::new(),
            });
            first_side += count;
        }
        let blocks = (0..sites.len() as u32)
            .map(|site| BlueprintBlock {
                successors: vec![(site + 1) % sites.len() as u32; 2],
                calls: Vec::new(),
                site: Some(SiteId(site)),
            })
            .collect();
        let functions = vec![BlueprintFunction {
            name: "main".to_owned(),
            blocks,
        }];
        Toy {
            body: Arc::new(body),
            blueprint: Blueprint {
                build: build.to_owned(),
                sites,
                functions,
                sides: first_side,
            },
            size,
            harmless: false,
            stubborn: false,
            lie_every: None,
            runs: 0,
        }
    }

    pub fn case(&self, bytes: Vec<u8>) -> Case {
        Case {
            inputs: [("bytes".to_owned(), bytes)].into(),
            schedule: Vec::new(),
        }
    }

    fn plain(&self, bytes: &[u8]) -> (Vec<(u32, u64)>, Outcome) {
        let mut machine = Plain {
            bytes,
            path: Vec::new(),
        };
        let end = execute(&mut machine, &self.body, &mut 0);
        (machine.path, end.unwrap_or(Outcome::Exit(0)))
    }

    /// Number of paths and the lines of failures, from running every input of up to two bytes.
    pub fn brute_force(&self) -> (u64, BTreeSet<u32>) {
        let mut paths = BTreeSet::new();
        let mut failures = BTreeSet::new();
        for input in 0..1u32 << (8 * self.size) {
            let (path, outcome) = self.plain(&input.to_le_bytes()[..self.size]);
            if outcome == Outcome::Assumed {
                continue;
            }
            if let Outcome::Failure { place, .. } = outcome {
                failures.insert(place[0].line);
            }
            paths.insert(path);
        }
        (paths.len() as u64, failures)
    }
}

fn count_sides(body: &[Stmt], sides: &mut BTreeMap<u32, u32>) {
    for stmt in body {
        match stmt {
            Stmt::If(site, _, a, b) => {
                sides.insert(*site, 2);
                count_sides(a, sides);
                count_sides(b, sides);
            }
            Stmt::While(site, _, body) => {
                sides.insert(*site, 2);
                count_sides(body, sides);
            }
            Stmt::Switch(site, _, cases, bodies) => {
                sides.insert(*site, cases.len() as u32 + 1);
                bodies.iter().for_each(|body| count_sides(body, sides));
            }
            Stmt::Concrete(site, _) | Stmt::Assume(site, _) => {
                sides.insert(*site, 0);
            }
            Stmt::Fail(..) | Stmt::Exit(_) => {}
        }
    }
}

impl Subject for Toy {
    fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    fn first_case(&self) -> Case {
        self.case(vec![0; self.size])
    }

    fn run(&mut self, case: &Case, terms: &mut Terms) -> Result<Trace, RunError> {
        self.runs += 1;
        let bytes = case.inputs.get("bytes").map_or(&[][..], Vec::as_slice);
        let zero = terms.bits(8, 0);
        let mut machine = Traced {
            bytes,
            terms,
            present: Model::default(),
            choices: Vec::new(),
            covered: BTreeSet::new(),
            sites: &self.blueprint.sites,
        };
        let end = execute(&mut machine, &self.body, &mut (0, zero));
        let mut choices = machine.choices;
        if self
            .lie_every
            .is_some_and(|every| self.runs.is_multiple_of(every))
            && let Some(last) = choices.last_mut()
            && let Shape::Branch { .. } = last.shape
        {
            last.taken ^= 1;
        }
        Ok(Trace {
            choices,
            bounds: Vec::new(),
            preferences: Vec::new(),
            moves: Default::default(),
            present: machine.present,
            covered: machine.covered.into_iter().collect(),
            outcome: end.unwrap_or(Outcome::Exit(0)),
            approximations: Vec::new(),
            flaws: Vec::new(),
            cpu_micros: 1,
            watch_micros: 0,
        })
    }

    fn apply_model(&self, case: &Case, terms: &Terms, model: &Model) -> Case {
        let mut amended = case.clone();
        if self.stubborn {
            return amended;
        }
        let bytes = amended.inputs.entry("bytes".to_owned()).or_default();
        for (var, value) in model.iter() {
            if let Some(byte) = bytes.get_mut(terms.var_key(var) as usize) {
                *byte = value.to_u64().unwrap_or(0) as u8;
            }
        }
        amended
    }

    fn confirm(&mut self, case: &Case) -> Result<Outcome, RunError> {
        let bytes = case.inputs.get("bytes").map_or(&[][..], Vec::as_slice);
        match self.harmless {
            true => Ok(Outcome::Exit(0)),
            false => Ok(self.plain(bytes).1),
        }
    }
}

/// A program with `2^count` paths: one branch on each of `count` bits of its input.
pub fn wide_program(count: usize) -> Toy {
    let body = (0..count)
        .map(|index| {
            let mask = Expr::Const(1 << (7 - index % 8) as u8);
            let bit = Expr::Mul(Box::new(Expr::Input(index / 8)), Box::new(mask));
            let cond = Cond::Less(bit, Expr::Const(128));
            Stmt::If(index as u32, cond, Vec::new(), Vec::new())
        })
        .collect();
    Toy::new(&format!("wide {count}"), body, count.div_ceil(8))
}

pub fn options(dir: &Path) -> Options {
    Options {
        dir: dir.to_owned(),
        title: "toy".to_owned(),
        ..Options::default()
    }
}

pub fn with_runs(options: &Options, runs: u64) -> Options {
    Options {
        budget: Budget {
            runs: Some(runs),
            time: None,
        },
        ..options.clone()
    }
}

pub fn run(options: &Options, toy: &Toy) -> Result<Summary, CampaignError> {
    run_on(options, toy, 1)
}

pub fn run_on(options: &Options, toy: &Toy, workers: usize) -> Result<Summary, CampaignError> {
    let stop = AtomicBool::new(false);
    explore(options, subjects(toy, workers), &mut |_| {}, &stop)
}

/// One for each worker.
pub fn subjects(toy: &Toy, workers: usize) -> Vec<Box<dyn Subject>> {
    let one = |_| Box::new(toy.clone()) as Box<dyn Subject>;
    (0..workers).map(one).collect()
}
