//! Whether subsumption pays: what it costs, and what it closes.

use std::collections::BTreeMap;
use std::time::Duration;

/// Time that is always granted.
const GRACE: Duration = Duration::from_millis(150);
/// What one run may take beyond what is granted: only at its end it is known what it closes.
const BEYOND: Duration = Duration::from_secs(1);
/// Share of the whole time that may go into what has closed nothing worth mentioning.
const SHARE: f64 = 0.08;
/// So many times what a closed alternative would have cost are granted for it: below it there is more than
/// one path.
const CREDIT: f64 = 8.0;
/// Runs in a row that could not be followed, after which no further ones are tried.
const LOST_RUNS: u32 = 8;

#[derive(Clone, Debug, Default)]
pub struct Payoff {
    /// Time of workers that went into it, with what they have waited for each other.
    pub spent: Duration,
    /// Runs that were followed to where they end or are subsumed, and others.
    pub followed: u64,
    pub lost: u64,
    lost_in_a_row: u32,
    /// Alternatives that were closed and would have had a run each at least.
    pub closed: u64,
    /// Alternatives that were proved to have no case on the way.
    pub infeasible: u64,
    /// Why it was turned off.
    pub off: Option<String>,
    /// Why runs could not be followed, and how many.
    pub reasons: BTreeMap<String, u64>,
}

impl Payoff {
    pub(crate) fn lose(&mut self, why: &str) {
        self.lost += 1;
        self.lost_in_a_row += 1;
        *self.reasons.entry(why.to_owned()).or_default() += 1;
    }

    pub(crate) fn follow(&mut self) {
        self.followed += 1;
        self.lost_in_a_row = 0;
    }

    /// How much time may go into one run or question, when workers have worked for so long together and made so many
    /// runs; `None` where it is better to do without.
    pub fn grant(&mut self, worked: Duration, runs: u64) -> Option<Duration> {
        if self.off.is_some() {
            return None;
        }
        if self.lost_in_a_row >= LOST_RUNS && self.followed < self.lost / 8 {
            let most = self.reasons.iter().max_by_key(|(_, count)| **count);
            let why = most.map_or("nobody knows why", |(why, _)| why);
            self.off = Some(format!("its runs cannot be followed: {why}"));
            return None;
        }
        let others = worked.saturating_sub(self.spent).as_secs_f64();
        let each = others / (runs.max(1) as f64);
        let earned = each * CREDIT * self.closed as f64;
        let granted = GRACE.as_secs_f64() + SHARE * worked.as_secs_f64() + earned;
        if self.spent.as_secs_f64() > granted {
            self.off = Some(format!(
                "it did not pay: {:.1} s for {} closed alternatives",
                self.spent.as_secs_f64(),
                self.closed
            ));
            return None;
        }
        let rest = Duration::from_secs_f64(granted).saturating_sub(self.spent);
        Some(BEYOND + rest.min(GRACE + worked.mul_f64(SHARE)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn a_share_of_the_time_is_granted_and_what_it_earns() {
        let spent = |spent: f64, closed| Payoff {
            spent: seconds(spent),
            closed,
            ..Payoff::default()
        };
        // 0.15 s always, and 8 in 100 of 10 s.
        assert!(spent(0.9, 0).grant(seconds(10.0), 100).is_some());
        assert!(spent(1.0, 0).grant(seconds(10.0), 100).is_none());
        // What is left of 10 s after 2 s is 0.08 s for each of 100 runs; three closed ones are worth 8 times that each.
        assert!(spent(2.0, 3).grant(seconds(10.0), 100).is_some());
        assert!(spent(2.0, 1).grant(seconds(10.0), 100).is_none());
    }

    /// However much it may take, a single run is given up when it has used up what is granted and a second.
    #[test]
    fn a_run_may_take_a_second_beyond_what_is_granted() {
        let mut none = Payoff::default();
        assert_eq!(none.grant(Duration::ZERO, 1), Some(GRACE + BEYOND));
        let mut some = Payoff {
            spent: seconds(0.5),
            ..Payoff::default()
        };
        // 0.15 s and 0.8 s, of which 0.5 s are used up.
        let granted = some.grant(seconds(10.0), 1).expect("it goes on");
        assert!((granted.as_secs_f64() - 1.45).abs() < 1e-6, "{granted:?}");
    }

    #[test]
    fn once_off_it_stays_off() {
        let mut payoff = Payoff {
            spent: seconds(5.0),
            ..Payoff::default()
        };
        assert!(payoff.grant(seconds(10.0), 1).is_none());
        payoff.closed = 1_000_000;
        assert!(payoff.grant(seconds(10.0), 1).is_none());
        assert!(payoff.off.is_some());
    }

    #[test]
    fn runs_that_cannot_be_followed_turn_it_off_for_their_reason() {
        let mut payoff = Payoff::default();
        for run in 0..LOST_RUNS {
            assert!(payoff.grant(seconds(1.0), 10).is_some(), "{run}");
            payoff.lose(if run == 0 { "threads" } else { "floats" });
        }
        assert!(payoff.grant(seconds(1.0), 10).is_none());
        assert!(payoff.off.is_some_and(|why| why.contains("floats")));
    }

    #[test]
    fn one_run_that_was_followed_begins_the_count_anew() {
        let mut payoff = Payoff::default();
        for _ in 0..LOST_RUNS - 1 {
            payoff.lose("floats");
        }
        payoff.follow();
        payoff.lose("floats");
        assert!(payoff.grant(seconds(1.0), 10).is_some());
    }
}
