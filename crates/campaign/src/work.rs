//! What is to be done next: the tree and its frontier, the strategy that picks from it, other orders of threads,
//! and what has been put off.

use crate::again::Unseen;
use crate::holders::Holders;
use crate::job::{Job, Pursuit};
use crate::ledger::Ledger;
use crate::portion::{self, Offer, Portion, Share};
use crate::schedule_search::ScheduleSearch;
use crate::shard::{Crown, Grown, Shard};
use crate::store::{LoadedRun, Origin, OutcomeCode, hash64, is_asleep, pack_case};
use crate::unproductive::Unproductive;
use crate::{CampaignError, Found};
use elsewise_explore::strategy::{Gain, News, Strategy};
use elsewise_explore::{
    ALTERNATIVE_OTHER, ApproximationKind, Case, Choice, Coverage, Inserted, Item, Kind, LeafEnd,
    PositionId, Reason, SideId, State, Step, Trace, Tree,
};
use elsewise_subsume::Closed;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::ops::Range;

/// See the module's comment.
pub(crate) struct Work {
    tree: Tree,
    coverage: Coverage,
    strategy: Box<dyn Strategy>,
    seeds: VecDeque<Case>,
    /// Cases that others have found in the meantime.
    arrived: VecDeque<Case>,
    /// The same, of cases with which they reached nothing new.
    spare: VecDeque<Case>,
    /// One of them is next, rather than anything else.
    arrived_next: bool,
    /// Claimed alternatives whose query takes long: asked again when nothing else is left.
    deferred: VecDeque<Pursuit>,
    unproductive: Unproductive,
    /// Who has the traces that questions are asked with.
    pub holders: Holders,
    /// Other orders of threads.
    pub schedules: ScheduleSearch,
    /// Of a shard: what it explores, and what others do.
    crown: Option<Crown>,
    /// Of a campaign that is not alone: what it explores.
    share: Option<Share>,
    /// Such an order is next, rather than other inputs.
    order_next: bool,
    /// Of an earlier session, what has to be looked at again before anything else is done.
    unseen: Unseen,
    /// Hashes of the cases that lead to this campaign's portion.
    leads: FxHashSet<i64>,
    /// Where that is has just been found.
    portion_begun: bool,
    /// Jobs that workers are at.
    in_flight: u32,
}

pub(crate) enum Next {
    Job(Job),
    Wait,
    End,
}

/// Work that was paid for and led nowhere.
fn no_gain(work: u64) -> Gain {
    Gain {
        work,
        ..Gain::default()
    }
}

impl Work {
    pub fn new(
        tree: Tree,
        coverage: Coverage,
        strategy: Box<dyn Strategy>,
        seeds: VecDeque<Case>,
        schedules: ScheduleSearch,
        workers: usize,
    ) -> Work {
        Work {
            tree,
            coverage,
            strategy,
            seeds,
            arrived: VecDeque::new(),
            spare: VecDeque::new(),
            arrived_next: false,
            deferred: VecDeque::new(),
            unproductive: Unproductive::default(),
            holders: Holders::new(workers),
            schedules,
            crown: None,
            share: None,
            order_next: false,
            unseen: Unseen::default(),
            leads: FxHashSet::default(),
            portion_begun: false,
            in_flight: 0,
        }
    }

    /// Others have found these cases.
    pub fn arrive(&mut self, found: Vec<Found>) {
        for Found { case, is_new } in found {
            match is_new {
                true => self.arrived.push_back(case),
                false => self.spare.push_back(case),
            }
        }
    }

    /// From now on only a share of the tree is explored.
    pub fn keep_to(&mut self, shard: Shard) {
        self.crown = Some(Crown::new(shard));
    }

    /// From now on this part of the tree is explored, while others explore more of it. If the portion is `found`, what is
    /// others' is closed already.
    pub fn keep_to_portion(&mut self, portion: &Portion, given: Vec<Portion>, found: bool) {
        let cases = portion.cases.iter();
        self.leads = cases.map(|it| hash64(&pack_case(&it.case()))).collect();
        let portion = match found {
            true => Portion::whole(),
            false => portion.clone(),
        };
        self.share = Some(Share::of(portion, given));
    }

    /// Is this a run of a case that leads to this campaign's portion, of somebody else's run? Other orders of its threads
    /// are for who made that.
    pub fn leads(&self, origin: Origin, case: i64) -> bool {
        origin == Origin::Seed && self.leads.contains(&case)
    }

    /// Has it just been found where this campaign's portion is?
    pub fn take_portion_begun(&mut self) -> bool {
        std::mem::take(&mut self.portion_begun)
    }

    /// A run of a case that the campaign began with.
    pub fn passed(&mut self, packed: &[u8], trace: &Trace) {
        if let Some(share) = &mut self.share {
            share.passed(&self.tree, packed, &trace.choices);
        }
    }

    /// Once the cases have been run that lead to this campaign's portion, everything else is others'.
    fn begin_portion(&mut self, ledger: &mut Ledger) {
        let verdict = State::GaveUp(Reason::OtherShard);
        let others = self.share.as_mut().map(|share| share.found(&self.tree));
        for item in others.unwrap_or_default() {
            if self.tree.close(item, verdict) {
                ledger.closed(item, verdict);
            }
        }
        self.portion_begun = true;
    }

    /// Is it not yet known where in the tree its portion is?
    pub fn is_sought(&self) -> bool {
        matches!(self.share, Some(Share::Sought(_)))
    }

    /// About half of what is open and nobody is at, by the runs that lead there; it is claimed.
    pub fn offer(&mut self) -> Offer {
        if self.is_sought() || self.schedules.is_sampling() || !self.seeds.is_empty() {
            return Vec::new();
        }
        let half = portion::half(&self.tree);
        for item in half.iter().flat_map(|(_, items)| items) {
            self.tree.claim(*item);
        }
        half
    }

    /// What was offered is others' from now on, or stays.
    pub fn offered(&mut self, offer: &Offer, taken: bool, ledger: &mut Ledger) {
        let verdict = State::GaveUp(Reason::OtherShard);
        for item in offer.iter().flat_map(|(_, items)| items) {
            match taken {
                true if self.tree.close(*item, verdict) => ledger.closed(*item, verdict),
                true => {}
                false => self.reopen(*item),
            }
        }
    }

    /// Takes up what an earlier session has left in the store; `each` is told of every run. If nothing at all was
    /// left, nobody looks for other orders of threads again.
    pub fn load(
        &mut self,
        ledger: &mut Ledger,
        orders_done: bool,
        believed: impl Fn(State) -> bool,
        mut each: impl FnMut(u32, &LoadedRun) -> Result<(), CampaignError>,
    ) -> Result<(), CampaignError> {
        let Work {
            tree,
            coverage,
            strategy,
            schedules,
            unseen,
            leads,
            ..
        } = self;
        ledger.load(tree, believed, |tree, id, run, positions| {
            let from = run.trace.tree.attach.and_then(|attach| attach.position);
            if run.origin == Origin::Sample {
                schedules.recall_sample();
            } else if tree.has_threads()
                && !(run.origin == Origin::Seed && leads.contains(&run.hash))
            {
                unseen.push(id, run);
            }
            let new = run
                .trace
                .new_sides
                .iter()
                .filter(|side| coverage.add(**side));
            let new_sides = new.count() as u32;
            each(id, run)?;
            let news = News {
                run: id,
                positions,
                reopened: None,
                new_sides,
                dismissed: run.outcome == OutcomeCode::Assumed,
                from,
            };
            strategy.note(tree, coverage, &news);
            Ok(())
        })?;
        let looks = ledger.looked_on()?;
        match orders_done && tree.frontier() == 0 {
            true => unseen.clear(),
            false => unseen.weave(&looks),
        }
        Ok(())
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Jobs that workers are at.
    pub fn in_flight(&self) -> u32 {
        self.in_flight
    }

    /// A job that was handed out has ended.
    pub fn done(&mut self) {
        self.in_flight -= 1;
    }

    /// Is there something to run that nobody is at?
    pub fn has_more(&self) -> bool {
        !self.seeds.is_empty()
            || !self.arrived.is_empty()
            || !self.spare.is_empty()
            || self.tree.frontier() > 0
            || self.schedules.has_work()
    }

    /// Is there something that an earlier session has looked at, and nobody has in this one?
    pub fn has_unseen(&self) -> bool {
        !self.unseen.is_empty()
    }

    /// Nothing is left to elsewhere because a thread sleeps, of all that there is so far.
    pub fn wake(&mut self) {
        let woken = self.unseen.wakes().then(|| self.tree.wake());
        for position in woken.unwrap_or_default() {
            let news = News::reopened(position);
            self.strategy.note(&self.tree, &self.coverage, &news);
        }
    }

    /// Has everything been tried?
    pub fn is_complete(&self) -> bool {
        self.tree.is_complete() && self.schedules.is_done()
    }

    /// The next thing for a worker to do; what is handed out counts as in flight until [`Work::done`].
    pub fn next(&mut self, worker: usize, ledger: &mut Ledger) -> Next {
        loop {
            // One after the other: what is to be tried follows from the order.
            if !self.unseen.is_empty() && self.in_flight > 0 {
                return Next::Wait;
            }
            if let Some(again) = self.unseen.pop() {
                return self.hand_out(Job::See(again));
            }
            if let Some(case) = self.seeds.pop_front() {
                return self.hand_out(Job::Seed(case));
            }
            if self.is_sought() {
                if self.in_flight > 0 {
                    return Next::Wait;
                }
                self.begin_portion(ledger);
            }
            // What others have found and what is found here in turn, as long as there is both.
            self.arrived_next = !self.arrived_next;
            if self.arrived_next
                && let Some(case) = self.arrived.pop_front()
            {
                return self.hand_out(Job::Seed(case));
            }
            // Schedules and inputs in turn, as long as there are both.
            self.order_next = !self.order_next;
            if self.order_next
                && let Some(job) = self.schedules.next()
            {
                return self.hand_out(job);
            }
            if let Some(pursuit) = self.next_pick(worker) {
                return self.hand_out(Job::Pursue(pursuit));
            }
            if let Some(job) = self.schedules.next() {
                return self.hand_out(job);
            }
            if let Some(pursuit) = self.holders.steal() {
                if let Some(pursuit) = self.renewed(pursuit) {
                    return self.hand_out(Job::Pursue(pursuit));
                }
                continue;
            }
            if let Some(case) = self.spare.pop_front() {
                return self.hand_out(Job::Seed(case));
            }
            let put_off = self.unproductive.next();
            let patient = put_off.is_none();
            let Some(pursuit) = put_off.or_else(|| self.deferred.pop_front()) else {
                if self.in_flight > 0 {
                    return Next::Wait;
                }
                if self.grow_crown(ledger) || !self.arrived.is_empty() {
                    continue;
                }
                return Next::End;
            };
            if let Some(mut pursuit) = self.renewed(pursuit) {
                pursuit.patient = patient;
                return self.hand_out(Job::Pursue(pursuit));
            }
        }
    }

    /// A claimed alternative that has waited as it is now, unless it was closed in the meantime.
    fn renewed(&self, mut pursuit: Pursuit) -> Option<Pursuit> {
        let item = pursuit.pick.item;
        if self.tree.state(item) != Some(State::Claimed) {
            return None;
        }
        pursuit.others = self.others(item);
        Some(pursuit)
    }

    fn hand_out(&mut self, job: Job) -> Next {
        self.in_flight += 1;
        Next::Job(job)
    }

    /// What the strategy has picked for a worker, claimed.
    fn next_pick(&mut self, worker: usize) -> Option<Pursuit> {
        while let Some(pursuit) = self.holders.next(worker) {
            if let Some(pursuit) = self.renewed(pursuit) {
                return Some(pursuit);
            }
        }
        while let Some(pick) = self.strategy.next(&self.tree, &self.coverage) {
            let position = pick.item.position;
            if !self.tree.claim(pick.item) {
                continue;
            }
            let pursuit = Pursuit {
                pick,
                witness: self.tree.witness(position),
                choice: self.tree.depth(position),
                others: self.others(pick.item),
                patient: false,
            };
            let site = self.tree.site(position);
            let pursuit = match &mut self.crown {
                Some(crown) => crown.sift(pursuit.choice, pursuit),
                None => Some(pursuit),
            };
            let fruitful = pursuit.and_then(|it| self.unproductive.sift(site, it));
            if let Some(pursuit) = fruitful.and_then(|it| self.holders.sift(worker, it)) {
                return Some(pursuit);
            }
        }
        None
    }

    /// All of the crown has been explored, as far as it goes: what has waited is to be explored now, or is another
    /// shard's. False where nothing has waited.
    fn grow_crown(&mut self, ledger: &mut Ledger) -> bool {
        let grown = match &mut self.crown {
            Some(crown) => crown.grow(&self.tree),
            None => Grown::Nothing,
        };
        let (foreign, waited) = match grown {
            Grown::Deeper(waited) => (Vec::new(), waited),
            Grown::Whole(foreign, waited) => (foreign, waited),
            Grown::Nothing => return false,
        };
        let verdict = State::GaveUp(Reason::OtherShard);
        for position in foreign {
            for item in self.tree.close_all(position, verdict) {
                ledger.closed(item, verdict);
            }
        }
        for pick in waited {
            self.reopen(pick.item);
        }
        true
    }

    /// Does a run go on where another shard explores? To be asked before it is in the tree.
    pub fn is_foreign(&self, choices: &[Choice]) -> bool {
        let crown = self.crown.as_ref();
        crown.is_some_and(|crown| crown.is_foreign(choices))
            || self.share.is_some() && portion::is_others(&self.tree, choices)
    }

    /// A run has come to where another shard explores: its new alternatives are that one's.
    pub fn disown(&mut self, new: Range<u32>, ledger: &mut Ledger) {
        let depth = self.crown.as_ref().map_or(0, Crown::depth);
        let verdict = State::GaveUp(Reason::OtherShard);
        for position in new.map(PositionId) {
            let ways: Vec<u64> = self.tree.ways(position).map(|(way, _)| way).collect();
            for alternative in ways {
                let item = Item {
                    position,
                    alternative,
                };
                if self.tree.depth(position) >= depth && self.tree.close(item, verdict) {
                    ledger.closed(item, verdict);
                }
            }
        }
    }

    /// Values that an alternative must differ from.
    fn others(&self, item: Item) -> Vec<u64> {
        match item.alternative {
            ALTERNATIVE_OTHER => self.tree.taken_values(item.position).collect(),
            _ => Vec::new(),
        }
    }

    /// Merges a run into the tree; the other ways of choices that are `asleep` are explored elsewhere.
    pub fn insert(&mut self, run: u32, trace: &Trace, asleep: &[Range<u32>]) -> Inserted {
        let steps = (0..).zip(&trace.choices).map(|(index, choice)| Step {
            asleep: is_asleep(asleep, index),
            ..Step::from(choice)
        });
        self.tree.insert_steps(run, steps, LeafEnd::of(trace))
    }

    /// Adds what a run covered; what of it is new.
    pub fn cover(&mut self, sides: &[SideId]) -> Vec<SideId> {
        let mut new = Vec::new();
        for side in sides {
            if self.coverage.add(*side) {
                new.push(*side);
            }
        }
        new
    }

    /// Tells the strategy of a run, and what came of the alternative that it was made for.
    pub fn learn(&mut self, news: &News, pursuit: Option<&Pursuit>, gain: &Gain) {
        self.strategy.note(&self.tree, &self.coverage, news);
        if let Some(pursuit) = pursuit {
            let site = self.tree.site(pursuit.pick.item.position);
            self.unproductive
                .note(news.run, site, pursuit, news.dismissed);
            self.strategy.paid(&pursuit.pick, gain);
        }
    }

    /// Closes a claimed alternative.
    pub fn close(&mut self, pursuit: &Pursuit, verdict: State, work: u64, ledger: &mut Ledger) {
        let item = pursuit.pick.item;
        if self.tree.close(item, verdict) {
            ledger.closed(item, verdict);
            if let State::GaveUp(reason @ (Reason::Divergence | Reason::Lost)) = verdict {
                ledger.event(reason.kind(), Some(self.tree.site(item.position)));
            }
        }
        self.strategy.paid(&pursuit.pick, &no_gain(work));
    }

    /// Closes what subsumption has closed.
    pub fn close_subsumed(&mut self, closed: &[Closed], ledger: &mut Ledger) {
        for one in closed {
            let (items, verdict) = match one {
                Closed::Subsumed(item) => {
                    let items = self.tree.close_below(*item, State::Subsumed);
                    (items, State::Subsumed)
                }
                Closed::Below(position) => {
                    let items = self.tree.close_all(*position, State::Subsumed);
                    (items, State::Subsumed)
                }
                Closed::Infeasible(item) => {
                    let closed = self.tree.close(*item, State::Infeasible);
                    (
                        closed.then_some(*item).into_iter().collect(),
                        State::Infeasible,
                    )
                }
            };
            for item in items {
                ledger.closed(item, verdict);
            }
        }
    }

    /// Is a claimed alternative closed by now? What was done for it is paid for then.
    pub fn is_closed(&mut self, pursuit: &Pursuit) -> bool {
        let closed = self.tree.state(pursuit.pick.item) != Some(State::Claimed);
        if closed {
            let gain = no_gain(u64::from(pursuit.choice));
            self.strategy.paid(&pursuit.pick, &gain);
        }
        closed
    }

    /// Puts a claimed alternative off whose query takes long.
    pub fn defer(&mut self, pursuit: &Pursuit) {
        self.deferred.push_back(pursuit.clone());
        let gain = no_gain(u64::from(pursuit.choice));
        self.strategy.paid(&pursuit.pick, &gain);
    }

    /// Gives a claimed alternative back, untried.
    pub fn give_back(&mut self, pursuit: &Pursuit) {
        self.reopen(pursuit.pick.item);
    }

    fn reopen(&mut self, item: Item) {
        if self.tree.release(item) {
            let news = News::reopened(item.position);
            self.strategy.note(&self.tree, &self.coverage, &news);
        }
    }

    /// The case for a claimed alternative has been run before. Then it should have taken the
    /// alternative; unless another worker ran it in the meantime, it is a divergence.
    pub fn repeated(&mut self, pursuit: &Pursuit, ledger: &mut Ledger) {
        if let Some(position) = self.settle(pursuit, ledger) {
            let news = News::reopened(position);
            self.strategy.note(&self.tree, &self.coverage, &news);
        }
        let gain = no_gain(u64::from(pursuit.choice));
        self.strategy.paid(&pursuit.pick, &gain);
    }

    /// After the run that was to take a claimed alternative: it did, or it left its predicted
    /// path. The position if its alternative is open again.
    pub fn settle(&mut self, pursuit: &Pursuit, ledger: &mut Ledger) -> Option<PositionId> {
        let item = pursuit.pick.item;
        let Item {
            position,
            alternative,
        } = item;
        if self.tree.kind(position) == Kind::Question {
            if self.tree.close(item, State::Answered) {
                ledger.closed(item, State::Answered);
            }
            return None;
        }
        let took = match alternative {
            ALTERNATIVE_OTHER => self.tree.taken_values(position).count() > pursuit.others.len(),
            _ => self.tree.state(item) != Some(State::Claimed),
        };
        if !took {
            let verdict = State::GaveUp(Reason::Divergence);
            if self.tree.close(item, verdict) {
                ledger.closed(item, verdict);
            }
            let site = self.tree.site(position);
            ledger.event(ApproximationKind::Divergence, Some(site));
            return None;
        }
        let released = alternative == ALTERNATIVE_OTHER && self.tree.release(item);
        released.then_some(position)
    }
}
