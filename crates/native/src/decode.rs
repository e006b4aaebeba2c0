//! From what a run wrote into shared memory to the choices of its trace.
//!
//! Nothing here trusts a counter, a label, a width or an index: what makes no sense is
//! [`Damaged`]. Only nodes that a choice depends on are imported, without recursion, and what is
//! allocated is bounded by what the shared memory holds.

use crate::blueprint::Sites;
use crate::import::{
    Damaged, Imported, Importer, Pointers, RunStream, as_bits, as_bool, constant, damaged,
};
use crate::memory::SharedMemory;
use crate::streams::{LENGTH_OFFSET, MAIN_ID, Stdin, Streams, entry_name, variable_key};
use elsewise_explore::{
    Approximation, ApproximationKind, Case, Choice, Deadline, Shape, SiteId, Symmetry,
};
use elsewise_term::{Model, Node as TermNode, Op as TermOp, Sort, TermId, Terms, VarId};
use elsewise_wire as wire;
use elsewise_wire::map::SiteKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

pub use threads::{Met, Threads, Waiting};

pub struct Decoded {
    pub choices: Vec<Choice>,
    pub bounds: Vec<TermId>,
    pub preferences: Vec<(VarId, TermId)>,
    pub present: Model,
    pub approximations: Vec<Approximation>,
    /// What its threads did, if it had several.
    pub threads: Threads,
    /// The site of the last event: where a run that hangs was last seen.
    pub last_site: Option<SiteId>,
}

/// Decodes run after run, keeping its tables.
pub struct Decoder {
    importer: Importer,
    pub streams: Streams,
    /// Choices of a run beyond which it is cut off.
    most: usize,
    pub deadline: Deadline,
}

/// Events after which the time is looked at.
const LOOK: u64 = 256;

/// A loop whose bound is an input makes as many choices as there is room for. Nobody tries them all, and
/// to take them in would take longer than many a budget.
const MOST_CHOICES: usize = 1 << 17;

impl Decoder {
    /// For cases that keep the main input under this key.
    pub fn new(main: &str) -> Decoder {
        Decoder {
            importer: Importer::default(),
            streams: Streams::new(main),
            deadline: Deadline::default(),
            most: MOST_CHOICES,
        }
    }

    pub fn decode(
        &mut self,
        memory: &SharedMemory,
        sites: &Sites,
        stdin: Stdin,
        case: &Case,
        terms: &mut Terms,
    ) -> Result<Decoded, Damaged> {
        let counters = memory.counters();
        if counters.events > memory.capacities().events {
            return damaged(format!("{} events are more than fit", counters.events));
        }
        if counters.nodes > memory.capacities().nodes || counters.nodes == 0 {
            return damaged(format!("{} nodes are more than fit", counters.nodes));
        }
        let streams = self.run_streams(memory, stdin, case)?;
        self.importer.begin(memory, counters.nodes as u32);
        let mut walk = Walk {
            memory,
            sites,
            stdin,
            streams: &streams,
            importer: &mut self.importer,
            terms,
            decoded: Decoded {
                choices: Vec::new(),
                bounds: Vec::new(),
                preferences: Vec::new(),
                present: Model::default(),
                approximations: Vec::new(),
                threads: Threads::default(),
                last_site: None,
            },
            present: None,
            seen: FxHashSet::default(),
            cases: FxHashMap::default(),
            settled: FxHashSet::default(),
            questions: FxHashSet::default(),
            alike: None,
            bounded: false,
            most: self.most,
        };
        if counters.lost_nodes > 0 || counters.lost_events > 0 {
            walk.approximate(ApproximationKind::TraceCut, None);
        }
        for index in 0..counters.events {
            if index % LOOK == 0 && self.deadline.is_over() {
                break; // nobody waits for it any more
            }
            let Some(event) = memory.event(index) else {
                return damaged("an event out of range");
            };
            if !walk.event(event)? {
                break;
            }
        }
        walk.decoded.threads.ended(counters.ending);
        Ok(walk.decoded)
    }

    fn run_streams<'a>(
        &mut self,
        memory: &SharedMemory,
        stdin: Stdin,
        case: &'a Case,
    ) -> Result<Vec<RunStream<'a>>, Damaged> {
        let used = memory.counters().streams_used;
        if used as usize > wire::MAX_STREAMS {
            return damaged(format!("{used} streams are more than fit"));
        }
        let given = case
            .inputs
            .get(self.streams.main())
            .map_or(&[][..], Vec::as_slice);
        let length = stdin.length(given.len());
        let mut streams = vec![RunStream {
            id: MAIN_ID,
            length,
            // Where there are fewer bytes than asked for, a byte beyond the end is "the input if
            // there is one, else what was there".
            labelled: match stdin {
                Stdin::Fixed(size) => size,
                Stdin::Free { .. } => LENGTH_OFFSET.into(),
            },
            bytes: &given[..given.len().min(length as usize)],
        }];
        for index in 1..used {
            let Some(entry) = memory.stream(index) else {
                return damaged("a stream out of range");
            };
            let Some(id) = self.streams.id(entry_name(&entry), entry.occurrence) else {
                return damaged("too many names of inputs");
            };
            let bytes = self
                .streams
                .key(id)
                .and_then(|key| case.inputs.get(key))
                .map_or(&[][..], Vec::as_slice);
            // What does not fit the input area could never be given to a run.
            let size = entry.size.min(memory.capacities().input);
            streams.push(RunStream {
                id,
                length: size,
                labelled: size,
                bytes,
            });
        }
        Ok(streams)
    }
}

struct Walk<'a> {
    memory: &'a SharedMemory,
    sites: &'a Sites,
    stdin: Stdin,
    streams: &'a [RunStream<'a>],
    importer: &'a mut Importer,
    terms: &'a mut Terms,
    decoded: Decoded,
    /// The thread that moves, once there are several.
    present: Option<u32>,
    seen: FxHashSet<Approximation>,
    /// Cases of a switch as terms of one width, made once per run.
    cases: FxHashMap<(u32, u32), Arc<[TermId]>>,
    /// Conditions of the choices so far, and whose they are: what they say need not be chosen again.
    /// What another thread has chosen may come later in another order.
    settled: FxHashSet<(Option<u32>, TermId)>,
    /// Conditions of the questions so far, and whose they are.
    questions: FxHashSet<(Option<u32>, TermId)>,
    /// Objects that could as well be each other, as far as the run has come.
    alike: Option<Arc<Symmetry>>,
    /// The bound on the length of the main input is stated.
    bounded: bool,
    most: usize,
}

impl Walk<'_> {
    /// False when the trace ends here because what follows cannot be trusted.
    fn event(&mut self, event: wire::Event) -> Result<bool, Damaged> {
        let Some(kind) = wire::EventKind::from_u8(event.kind) else {
            return damaged(format!("an event of unknown kind {}", event.kind));
        };
        let site_kind = self.sites.kind(event.site);
        let site = match (kind, site_kind) {
            // The runtime's own choices (is there so much input?) stand at the call's site.
            (wire::EventKind::Branch, Some(kind)) if kind != SiteKind::Switch => SiteId(event.site),
            (wire::EventKind::Switch, Some(SiteKind::Switch)) => SiteId(event.site),
            (wire::EventKind::Branch | wire::EventKind::Switch, _)
                if event.site >= wire::LATE_SITES =>
            {
                self.approximate(ApproximationKind::LateCode, None);
                return Ok(false);
            }
            (wire::EventKind::Branch | wire::EventKind::Switch, _) => {
                return damaged(format!("a choice at site {} of another kind", event.site));
            }
            // The rest has no sides; a site that has some would be taken to cover them.
            (_, Some(SiteKind::Value | SiteKind::Assume)) => SiteId(event.site),
            (_, _) => self.sites.elsewhere(),
        };
        self.decoded.last_site = Some(match site_kind {
            Some(_) => SiteId(event.site),
            None => site,
        });
        if kind == wire::EventKind::Opaque {
            let Some(reason) = wire::Reason::from_u8(event.detail) else {
                return damaged("an opaque event without a reason");
            };
            let place = site_kind.map(|_| SiteId(event.site));
            self.approximate(opaque_kind(reason), place);
            return Ok(true);
        }
        match kind {
            wire::EventKind::Pointer => return self.pointer(event).map(|()| true),
            wire::EventKind::Pool => return self.pool(event).map(|()| true),
            wire::EventKind::Known => {
                let known = self.entry(event.label)?;
                self.take(known);
                return Ok(true);
            }
            wire::EventKind::Thread
            | wire::EventKind::Access
            | wire::EventKind::SyncOp
            | wire::EventKind::Pending
            | wire::EventKind::Pick
            | wire::EventKind::Note => return self.thread_event(kind, event, site),
            _ => {}
        }
        let imported = self.import(event.label)?;
        match kind {
            wire::EventKind::Branch | wire::EventKind::Assume => {
                let condition = self.condition(imported.term)?;
                if event.value > 1 {
                    return damaged("a branch with more than two sides");
                }
                let shape = if kind == wire::EventKind::Branch {
                    Shape::Branch { condition }
                } else {
                    Shape::Assume { condition }
                };
                let known = match self.terms.node(condition) {
                    TermNode::True => Some(event.value == 0),
                    TermNode::False => Some(event.value == 1),
                    _ => None,
                };
                Ok(self.choose(site, event.value.into(), shape, known, imported))
            }
            wire::EventKind::Check => {
                let condition = self.condition(imported.term)?;
                let constant =
                    matches!(self.terms.node(condition), TermNode::True | TermNode::False);
                // Asked once along a path.
                let asked = self.questions.contains(&(None, condition));
                if !constant && !asked && self.questions.insert((self.present, condition)) {
                    self.mention(imported);
                    self.decoded.choices.push(Choice {
                        site,
                        taken: 0,
                        shape: Shape::Question { condition },
                    });
                }
                Ok(true)
            }
            wire::EventKind::Bound => {
                let condition = self.condition(imported.term)?;
                self.decoded.bounds.push(condition);
                Ok(true)
            }
            wire::EventKind::Switch => self.switch(site, event, imported),
            wire::EventKind::Concrete => self.concrete(site, event, imported),
            wire::EventKind::Opaque
            | wire::EventKind::Pointer
            | wire::EventKind::Pool
            | wire::EventKind::Known
            | wire::EventKind::Thread
            | wire::EventKind::Access
            | wire::EventKind::SyncOp
            | wire::EventKind::Pending
            | wire::EventKind::Pick
            | wire::EventKind::Note => Ok(true),
        }
    }

    fn import(&mut self, label: u32) -> Result<Imported, Damaged> {
        self.importer.import(
            label,
            self.memory,
            self.streams,
            self.stdin,
            self.terms,
            &mut self.decoded.present,
        )
    }

    fn switch(
        &mut self,
        site: SiteId,
        event: wire::Event,
        imported: Imported,
    ) -> Result<bool, Damaged> {
        let Some(values) = self.sites.cases(event.site) else {
            return damaged("a switch without cases");
        };
        if event.value as usize > values.len() {
            return damaged("a switch with too many sides");
        }
        let term = as_bits(self.terms, imported.term);
        let width = self.terms.width(term);
        let terms = &mut *self.terms;
        let cases = self
            .cases
            .entry((event.site, width))
            .or_insert_with(|| values.iter().map(|v| terms.bits(width, *v)).collect())
            .clone();
        let known = constant(self.terms, term).map(|value| {
            let mask = if width < 64 {
                (1 << width) - 1
            } else {
                u64::MAX
            };
            let side = values.iter().position(|case| case & mask == value);
            side.unwrap_or(values.len()) == event.value as usize
        });
        let shape = Shape::Switch { term, cases };
        Ok(self.choose(site, event.value.into(), shape, known, imported))
    }

    fn concrete(
        &mut self,
        site: SiteId,
        event: wire::Event,
        imported: Imported,
    ) -> Result<bool, Damaged> {
        if wire::Reason::from_u8(event.detail).is_none() {
            return damaged("a value made concrete without a reason");
        }
        let term = as_bits(self.terms, imported.term);
        let width = self.terms.width(term);
        let node = (u64::from(event.value) < self.memory.counters().nodes)
            .then(|| self.memory.node(event.value))
            .flatten()
            .filter(|node| node.op == wire::Op::Const as u8);
        let Some(node) = node else {
            return damaged("a value made concrete that is no constant");
        };
        if u32::from(node.bits) != width {
            return damaged("a value made concrete of another width");
        }
        let value = self.terms.bits(width, node.b);
        let taken = constant(self.terms, value).unwrap_or(node.b);
        let known = constant(self.terms, term).map(|known| known == taken);
        let alike = self.alike.clone().filter(|_| width == 64);
        let name = alike.as_ref().map_or(taken, |alike| alike.name(taken));
        if alike.is_some() {
            self.take(taken);
        }
        let shape = Shape::Value { term, value, alike };
        Ok(self.choose(site, name, shape, known, imported))
    }

    /// Appends a choice unless its condition is `known` to be what happened, or has been a choice
    /// before (a loop may ask the same a million times). False when it is known to be something
    /// else: then labels do not describe this run.
    fn choose(
        &mut self,
        site: SiteId,
        taken: u64,
        shape: Shape,
        known: Option<bool>,
        imported: Imported,
    ) -> bool {
        match known {
            Some(true) => return true,
            Some(false) => {
                self.approximate(ApproximationKind::LabelMismatch, Some(site));
                return false;
            }
            None => {}
        }
        let choice = Choice { site, taken, shape };
        let condition = choice.taken_condition(self.terms);
        let settled = self.settled.contains(&(None, condition));
        if !settled && self.settled.insert((self.present, condition)) {
            if self.decoded.choices.len() == self.most {
                self.approximate(ApproximationKind::TraceCut, Some(site));
                return false;
            }
            if imported.pointers == Pointers::Computed {
                self.approximate(ApproximationKind::AddressOrder, Some(site));
            }
            self.mention(imported);
            self.decoded.choices.push(choice);
        }
        true
    }

    /// Says how long an input of free length may be, before its length first matters. That a
    /// byte is there at all where a condition uses it is said by the runtime.
    fn mention(&mut self, imported: Imported) {
        if imported.length {
            self.say_bound();
        }
    }

    fn say_bound(&mut self) {
        let (Stdin::Free { max }, false) = (self.stdin, self.bounded) else {
            return;
        };
        self.bounded = true;
        let key = variable_key(MAIN_ID, LENGTH_OFFSET);
        let length = self.terms.variable(key, Sort::BitVec(64));
        let bound = self.terms.bits(64, max);
        let condition = self.terms.compare(TermOp::BvUle, length, bound);
        self.decoded.choices.push(Choice {
            site: self.sites.bound_site(),
            taken: 0,
            shape: Shape::Assume { condition },
        });
    }

    fn condition(&mut self, term: TermId) -> Result<TermId, Damaged> {
        match self.terms.sort(term) {
            Sort::Bool => Ok(term),
            Sort::BitVec(1) => Ok(as_bool(self.terms, term)),
            Sort::BitVec(_) => damaged("a condition that is no truth value"),
        }
    }

    fn approximate(&mut self, kind: ApproximationKind, site: Option<SiteId>) {
        let approximation = Approximation { kind, site };
        if self.seen.insert(approximation.clone()) {
            self.decoded.approximations.push(approximation);
        }
    }
}

/// What the summary calls it.
pub fn opaque_kind(reason: wire::Reason) -> ApproximationKind {
    match reason {
        wire::Reason::Address => ApproximationKind::OpaqueAddress,
        wire::Reason::Size => ApproximationKind::OpaqueSize,
        wire::Reason::Operation => ApproximationKind::OpaqueOperation,
        wire::Reason::Argument | wire::Reason::Memory => ApproximationKind::OpaqueCall,
        wire::Reason::Callee => ApproximationKind::OpaqueCallee,
        wire::Reason::Streams => ApproximationKind::TooManyInputs,
        wire::Reason::Children => ApproximationKind::Forked,
        wire::Reason::Fork => ApproximationKind::ForkRefused,
        wire::Reason::Input => ApproximationKind::UnfollowedInput,
        wire::Reason::Refused => ApproximationKind::Refused,
        wire::Reason::Timer => ApproximationKind::Timer,
        wire::Reason::Beside => ApproximationKind::OutsideObject,
        wire::Reason::LeftOut => ApproximationKind::LeftOut,
        wire::Reason::Anywhere => ApproximationKind::AsynchronousCancellation,
    }
}

mod pointers;
#[cfg(test)]
mod tests;
mod threads;
