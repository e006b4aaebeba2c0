//! What should be tried first of all that makes a condition hold.

use elsewise_term::{TermId, Terms, VarId, Walker};

/// Conditions that say more than this many subterms are taken as they are.
const SUBTERMS: usize = 512;

/// Finds the preferences that a condition has something to do with.
#[derive(Default)]
pub struct Preferences {
    walker: Walker,
}

impl Preferences {
    /// `wanted` with what is preferred of its inputs; `None` when nothing is.
    pub fn condition(
        &mut self,
        terms: &mut Terms,
        wanted: TermId,
        preferences: &[(VarId, TermId)],
    ) -> Option<TermId> {
        if preferences.is_empty() {
            return None;
        }
        let mut inputs = Vec::new();
        self.walker.restart();
        let whole = self.walker.walk(terms, &[wanted], SUBTERMS, |term| {
            inputs.extend(terms.as_var(term));
        });
        if !whole {
            return None;
        }
        let mut preferred = wanted;
        for (input, condition) in preferences {
            if inputs.contains(input) {
                preferred = terms.and(preferred, *condition);
            }
        }
        (preferred != wanted).then_some(preferred)
    }
}
