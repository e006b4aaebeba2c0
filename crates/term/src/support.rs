//! Walks over what terms are made of.

use crate::{TermId, Terms, VarId};

/// Walks over the subterms of some terms, each once. Kept and used again, it costs only what is
/// reached: marks are stamped, never cleared.
#[derive(Default)]
pub struct Walker {
    stamp: u32,
    stamps: Vec<u32>,
    stack: Vec<TermId>,
}

impl Walker {
    pub fn new() -> Walker {
        Walker::default()
    }

    /// Calls `visit` for every subterm that was not visited since the last [`Walker::restart`],
    /// and stops when it has been called `limit` times: then the answer is false.
    pub fn walk(
        &mut self,
        terms: &Terms,
        roots: &[TermId],
        limit: usize,
        mut visit: impl FnMut(TermId),
    ) -> bool {
        if self.stamp == 0 {
            self.stamp = 1;
        }
        if self.stamps.len() < terms.len() {
            self.stamps.resize(terms.len(), 0);
        }
        self.stack.clear();
        let mut left = limit;
        for root in roots {
            self.stack.push(*root);
            while let Some(term) = self.stack.pop() {
                let mark = &mut self.stamps[term.index()];
                if *mark == self.stamp {
                    continue;
                }
                *mark = self.stamp;
                if left == 0 {
                    return false;
                }
                left -= 1;
                visit(term);
                for operand in terms.operands(term).iter() {
                    if self.stamps[operand.index()] != self.stamp {
                        self.stack.push(*operand);
                    }
                }
            }
        }
        true
    }

    /// Makes all terms unvisited.
    pub fn restart(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }

    /// Inputs of some terms, ascending.
    pub fn inputs(&mut self, terms: &Terms, roots: &[TermId]) -> Vec<VarId> {
        self.restart();
        let mut found = Vec::new();
        self.walk(terms, roots, usize::MAX, |term| {
            found.extend(terms.as_var(term));
        });
        found.sort_unstable();
        found
    }
}

impl Terms {
    /// Inputs of a term, ascending. For many terms, keep a [`Walker`].
    pub fn support(&self, term: TermId) -> Vec<VarId> {
        Walker::new().inputs(self, &[term])
    }
}
