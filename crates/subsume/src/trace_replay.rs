//! A trace as the machine would tell it: what its run was given, and its choices in the machine's terms.

use crate::cells::Cell;
use crate::limit::Stop;
use crate::look::Looker;
use elsewise_explore::{PositionId, Shape, SiteId, Trace};
use elsewise_term::{Bits, Model, Retold, TermId, Terms};
use rustc_hash::FxHashMap;

/// What the inputs of a case are, as [`elsewise_explore::program::Source`] names them.
pub trait InputNames {
    fn byte(&self, name: &str, occurrence: u32, offset: u32) -> u8;
    /// The key under which the front end's terms have the byte.
    fn key(&self, name: &str, occurrence: u32, offset: u32) -> Option<u64>;
}

/// A run that the tree has.
pub struct Observed<'a> {
    pub trace: &'a Trace,
    /// The table of the trace's terms.
    pub terms: &'a Terms,
    /// Whose table that is, and how often it was begun anew.
    pub table: (usize, u64),
    pub given: &'a dyn InputNames,
    /// The positions of the trace's choices.
    pub positions: &'a [PositionId],
}

/// Terms of one table, as far as they were told again.
#[derive(Default)]
pub(crate) struct Translation {
    epoch: u64,
    retold: Retold,
    /// Number of what is given, by the key in that table.
    numbers: FxHashMap<u64, u32>,
    known: usize,
    /// What no run has asked for yet: a look can be ahead of all runs.
    ahead: Vec<u32>,
}

impl Translation {
    /// For a table that has been begun anew so often.
    pub fn at(&mut self, epoch: u64) -> &mut Translation {
        if self.epoch != epoch {
            *self = Translation {
                epoch,
                ..Translation::default()
            };
        }
        self
    }
}

/// A choice of a trace, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen {
    pub index: u32,
    pub site: SiteId,
    pub taken: u64,
    /// The condition of the alternative that was taken, in the machine's own terms.
    pub condition: TermId,
}

pub(crate) struct TraceReplay<'a> {
    pub run: &'a Observed<'a>,
    pub told: &'a mut Translation,
    /// Of what is given, so much is in the looker's model.
    modelled: usize,
}

impl<'a> TraceReplay<'a> {
    /// Begins anew: the looker's model is that of the run.
    pub fn new(
        run: &'a Observed<'a>,
        told: &'a mut Translation,
        looker: &mut Looker,
    ) -> TraceReplay<'a> {
        looker.model = Model::default();
        let mut replay = TraceReplay {
            run,
            told,
            modelled: 0,
        };
        replay.extend(looker);
        replay
    }

    /// Takes in what the machine has been given since.
    pub fn extend(&mut self, looker: &mut Looker) {
        let machine = &mut looker.machine;
        let list = machine.givens.list();
        for (given, number) in list.iter().zip(0..).skip(self.modelled) {
            let byte = self
                .run
                .given
                .byte(&given.name, given.occurrence, given.offset);
            let term = Cell::Given(number).term(&mut machine.terms);
            if let Some(var) = machine.terms.as_var(term) {
                looker.model.set(var, Bits::new(8, byte.into()));
            }
        }
        self.modelled = list.len();
        let new = self.told.known as u32..list.len() as u32;
        self.told.known = list.len();
        let ahead = std::mem::take(&mut self.told.ahead);
        for number in ahead.into_iter().chain(new) {
            let given = &list[number as usize];
            let key = self
                .run
                .given
                .key(&given.name, given.occurrence, given.offset);
            match key {
                Some(key) => {
                    self.told.numbers.insert(key, number);
                }
                None => self.told.ahead.push(number),
            }
        }
    }

    /// Are there choices from an index on?
    pub fn has_more(&self, from: u32) -> bool {
        let choices = self.run.trace.choices.iter().skip(from as usize);
        choices
            .into_iter()
            .any(|choice| !matches!(choice.shape, Shape::Question { .. }))
    }

    /// The first choice from an index on; questions are none of the program's.
    pub fn choice(&mut self, looker: &mut Looker, from: u32) -> Result<Option<Chosen>, Stop> {
        let choices = self.run.trace.choices.iter().zip(0..);
        let mut choices = choices
            .skip(from as usize)
            .filter(|(choice, _)| !matches!(choice.shape, Shape::Question { .. }));
        let Some((choice, index)) = choices.next() else {
            return Ok(None);
        };
        let terms = &mut looker.machine.terms;
        let condition = match &choice.shape {
            Shape::Branch { condition } | Shape::Assume { condition } => {
                let condition = self.tell(terms, *condition)?;
                match choice.taken {
                    0 => condition,
                    _ => terms.not(condition),
                }
            }
            Shape::Switch { term, cases } => {
                let value = self.tell(terms, *term)?;
                let mut none = terms.bool(true);
                let mut found = None;
                for (case, number) in cases.iter().zip(0u64..) {
                    let case = self.tell(terms, *case)?;
                    let same = terms.eq(value, case);
                    if number == choice.taken {
                        found = Some(same);
                        break;
                    }
                    let differs = terms.not(same);
                    none = terms.and(none, differs);
                }
                found.unwrap_or(none)
            }
            _ => return Err(Stop::Lost("a choice that is none of the program's".into())),
        };
        Ok(Some(Chosen {
            index,
            site: choice.site,
            taken: choice.taken,
            condition,
        }))
    }

    fn tell(&mut self, terms: &mut Terms, term: TermId) -> Result<TermId, Stop> {
        let from = self.run.terms;
        let numbers = &self.told.numbers;
        // The inputs of the machine's table, which cannot be lent while terms are made in it.
        let mut inputs: FxHashMap<u64, TermId> = FxHashMap::default();
        for var in from.support(term) {
            let key = from.var_key(var);
            if let Some(number) = numbers.get(&key) {
                inputs.insert(key, Cell::Given(*number).term(terms));
            }
        }
        let told = self.told.retold.tell(from, term, terms, |var| {
            inputs.get(&from.var_key(var)).copied()
        });
        told.ok_or_else(|| Stop::Lost("a choice on what the program was not given".into()))
    }
}
