//! The others in turn, each as often as it has paid lately.

use super::forms::{Forms, without};
use super::{Cfg, DepthFirst, Gain, Generational, Near, News, Pick, Strategy, Uniform};
use crate::{Blueprint, Coverage, Tree};

/// What is remembered of an older pick for every newer one: some two hundred picks count.
const FADING: f64 = 0.995;
/// Gain of one new path; a new side counts fully.
const PATH: f64 = 0.05;
/// How much curiosity there is beside what is known to pay.
const CURIOSITY: f64 = 0.3;
/// Choices that cost as much to look at as everything else about a pick.
const WORK: f64 = 2_000.0;

#[derive(Clone, Copy, Default)]
struct Account {
    gained: f64,
    spent: f64,
    picks: f64,
}

/// The arm that alone picks among forms, and once in how many picks: what it has is no less new than what
/// the others have, so that by what it pays it would be as much as any of them.
const FORMS: usize = 5;
const FORMS_TURN: u64 = 16;

pub struct Mix {
    arms: Vec<Box<dyn Strategy>>,
    accounts: Vec<Account>,
    picks: u64,
}

impl Mix {
    pub fn new(seed: u64, blueprint: &Blueprint) -> Mix {
        let arms: Vec<Box<dyn Strategy>> = vec![
            Box::new(Generational::default()),
            Box::new(Cfg::new(seed, blueprint)),
            Box::new(DepthFirst::default()),
            Box::new(Near::default()),
            Box::new(Uniform::new(seed)),
            Box::new(Forms::default()),
        ];
        Mix {
            accounts: vec![Account::default(); arms.len()],
            arms,
            picks: 0,
        }
    }

    /// Arms, the most promising first (discounted upper confidence bounds).
    fn ranking(&self) -> Vec<usize> {
        let all: f64 = self.accounts.iter().map(|account| account.picks).sum();
        let bound = |arm: usize| {
            let account = &self.accounts[arm];
            if account.picks < 1e-3 {
                return f64::INFINITY;
            }
            let paid = account.gained / account.spent.max(1e-9);
            paid + CURIOSITY * ((1.0 + all).ln() / account.picks).sqrt()
        };
        let mut arms: Vec<usize> = (0..FORMS).collect();
        arms.sort_by(|a, b| bound(*b).total_cmp(&bound(*a)));
        let forms = match self.picks % FORMS_TURN == FORMS_TURN - 1 {
            true => 0,
            false => arms.len(),
        };
        arms.insert(forms, FORMS);
        arms
    }
}

impl Strategy for Mix {
    fn name(&self) -> &'static str {
        "mix"
    }

    fn note(&mut self, tree: &Tree, coverage: &Coverage, news: &News) {
        self.arms[FORMS].note(tree, coverage, news);
        for part in without(tree, news) {
            for arm in &mut self.arms[..FORMS] {
                arm.note(tree, coverage, &part);
            }
        }
    }

    fn next(&mut self, tree: &Tree, coverage: &Coverage) -> Option<Pick> {
        for arm in self.ranking() {
            if let Some(pick) = self.arms[arm].next(tree, coverage) {
                // Counted at once, so that several workers do not all follow one arm before
                // its first pick has come back.
                self.accounts[arm].picks += 1.0;
                self.picks += 1;
                return Some(Pick {
                    by: arm as u8,
                    ..pick
                });
            }
        }
        None
    }

    fn paid(&mut self, pick: &Pick, gain: &Gain) {
        for account in &mut self.accounts {
            account.gained *= FADING;
            account.spent *= FADING;
            account.picks *= FADING;
        }
        if let Some(account) = self.accounts.get_mut(usize::from(pick.by)) {
            let gained = f64::from(gain.new_sides).min(4.0) + PATH * f64::from(gain.new_path);
            account.gained += gained.min(1.0);
            account.spent += 1.0 + gain.work as f64 / WORK;
        }
        for arm in &mut self.arms {
            arm.paid(pick, gain);
        }
    }
}
