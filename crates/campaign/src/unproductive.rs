//! Alternatives that have never led anywhere so far: tried last.
//!
//! Where a subject has assumptions (an invariant of a data structure), most alternatives of the
//! code that checks them give cases that count for nothing, and so do all that follow from these.
//! Which ones is learnt by the place of the choice and the way out of it; they are put off until
//! nothing else is left.

use crate::job::Pursuit;
use elsewise_explore::{ALTERNATIVE_OTHER, SiteId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Tries before alternatives of a kind are judged.
const TRIES: u32 = 8;
/// One case that counts for so many that do not is enough.
const WORTH: u32 = 50;
/// Of those put off, one in so many is tried nevertheless: what was unproductive need not stay so.
const SAMPLE: u32 = 32;
/// Values of one choice beyond which the next one is of another kind than the first.
const VALUES: u64 = 2;
/// So far back a case that counts is to the credit of those it was made from.
const BACK: usize = 64;

/// Alternatives of a kind: the site, and the way out.
type Kind = (SiteId, u64);

#[derive(Default)]
struct Record {
    tried: u32,
    /// Cases that counted, or that led to some that did.
    fruitful: u32,
    put_off: u32,
}

/// What is known of kinds of alternatives, and those that have been put off.
#[derive(Default)]
pub(crate) struct Unproductive {
    kinds: FxHashMap<Kind, Record>,
    /// Runs whose cases count for nothing: the run that each was made from, and how.
    dismissed: FxHashMap<u32, (u32, Kind)>,
    later: VecDeque<Pursuit>,
}

fn kind(site: SiteId, pursuit: &Pursuit) -> Kind {
    let alternative = pursuit.pick.item.alternative;
    match alternative {
        ALTERNATIVE_OTHER => (site, u64::MAX - VALUES.min(pursuit.others.len() as u64)),
        _ => (site, alternative),
    }
}

impl Unproductive {
    /// A run that was to take an alternative has ended; its case counts unless it is dismissed.
    pub fn note(&mut self, run: u32, site: SiteId, pursuit: &Pursuit, dismissed: bool) {
        let kind = kind(site, pursuit);
        let record = self.kinds.entry(kind).or_default();
        record.tried = record.tried.saturating_add(1);
        if dismissed {
            self.dismissed.insert(run, (pursuit.witness, kind));
            return;
        }
        record.fruitful = record.fruitful.saturating_add(1);
        let mut from = pursuit.witness;
        for _ in 0..BACK {
            let Some((before, kind)) = self.dismissed.get(&from) else {
                break;
            };
            let record = self.kinds.entry(*kind).or_default();
            record.fruitful = record.fruitful.saturating_add(1);
            from = *before;
        }
    }

    /// Puts a claimed alternative off, if it is of a kind that leads nowhere; otherwise gives it
    /// back.
    pub fn sift(&mut self, site: SiteId, pursuit: Pursuit) -> Option<Pursuit> {
        let Some(record) = self.kinds.get_mut(&kind(site, &pursuit)) else {
            return Some(pursuit);
        };
        let enough = record.fruitful.saturating_mul(WORTH);
        if record.tried < TRIES || enough >= record.tried {
            return Some(pursuit);
        }
        record.put_off = record.put_off.wrapping_add(1);
        if record.put_off.is_multiple_of(SAMPLE) {
            return Some(pursuit);
        }
        self.later.push_back(pursuit);
        None
    }

    /// One that had been put off.
    pub fn next(&mut self) -> Option<Pursuit> {
        self.later.pop_front()
    }
}
