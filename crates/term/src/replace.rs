//! Terms made anew with other terms in the place of their inputs.

use crate::{Op, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// Puts terms in the place of inputs. Kept and used again, it costs only what is reached: entries are
/// stamped, never cleared.
#[derive(Default)]
pub struct Replacer {
    stamp: u32,
    stamps: Vec<u32>,
    made: Vec<TermId>,
    stack: Vec<TermId>,
}

impl Replacer {
    pub fn new() -> Replacer {
        Replacer::default()
    }

    /// To be called before other terms are put in the place of inputs than before.
    pub fn restart(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }

    /// `term` with `value` of each input in its place. `None` where `value` has none for one of them.
    pub fn replace(
        &mut self,
        terms: &mut Terms,
        term: TermId,
        mut value: impl FnMut(&mut Terms, VarId) -> Option<TermId>,
    ) -> Option<TermId> {
        if self.stamp == 0 {
            self.stamp = 1;
        }
        // What is made on the way is never looked up: only what was there before has to fit.
        let known = terms.len();
        if self.stamps.len() < known {
            self.stamps.resize(known, 0);
            self.made.resize(known, term);
        }
        self.stack.clear();
        self.stack.push(term);
        while let Some(at) = self.stack.last().copied() {
            if self.stamps[at.index()] == self.stamp {
                self.stack.pop();
                continue;
            }
            let made = if let Some(op) = terms.op(at) {
                let operands = terms.operands(at);
                let before = self.stack.len();
                for operand in operands.iter() {
                    if self.stamps[operand.index()] != self.stamp {
                        self.stack.push(*operand);
                    }
                }
                if self.stack.len() > before {
                    continue;
                }
                let mut replaced = [at; 3];
                for (to, from) in replaced.iter_mut().zip(operands.iter()) {
                    *to = self.made[from.index()];
                }
                let replaced = &replaced[..operands.len()];
                match replaced == &operands[..] {
                    true => at,
                    false => terms.apply(op, replaced, terms.value_width(at)),
                }
            } else {
                match terms.as_var(at) {
                    Some(var) => value(terms, var)?,
                    None => at,
                }
            };
            self.stack.pop();
            self.made[at.index()] = made;
            self.stamps[at.index()] = self.stamp;
        }
        Some(self.made[term.index()])
    }
}

/// Terms of one table told again in another.
#[derive(Default)]
pub struct Retold {
    made: FxHashMap<TermId, TermId>,
    stack: Vec<TermId>,
}

impl Retold {
    /// The term of `from` in `to`, with `input` for each of its inputs; `None` where that has none. What
    /// was told before is not told again: the same two tables and the same inputs with every call.
    pub fn tell(
        &mut self,
        from: &Terms,
        term: TermId,
        to: &mut Terms,
        input: impl Fn(VarId) -> Option<TermId>,
    ) -> Option<TermId> {
        self.stack.clear();
        self.stack.push(term);
        while let Some(at) = self.stack.last().copied() {
            if self.made.contains_key(&at) {
                self.stack.pop();
                continue;
            }
            let operands = from.operands(at);
            let before = self.stack.len();
            for operand in operands.iter() {
                if !self.made.contains_key(operand) {
                    self.stack.push(*operand);
                }
            }
            if self.stack.len() > before {
                continue;
            }
            self.stack.pop();
            let operands: Vec<TermId> = operands.iter().map(|one| self.made[one]).collect();
            let made = match from.op(at) {
                Some(Op::Lookup { table }) => {
                    let table = from.table_of(table);
                    let table = to.table(table.width(), table.entries());
                    to.lookup(table, operands[0])
                }
                Some(op) => to.apply(op, &operands, from.value_width(at)),
                None => match (from.as_var(at), from.as_bool(at), from.as_bits(at)) {
                    (Some(var), _, _) => input(var)?,
                    (_, Some(value), _) => to.bool(value),
                    (_, _, Some(value)) => to.constant(value),
                    _ => return None,
                },
            };
            self.made.insert(at, made);
        }
        self.made.get(&term).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, Sort};

    #[test]
    fn inputs_are_replaced_everywhere_and_what_results_is_simplified() {
        let mut terms = Terms::new();
        let x = terms.variable(1, Sort::BitVec(8));
        let y = terms.variable(2, Sort::BitVec(8));
        let three = terms.bits(8, 3);
        let sum = terms.bv(Op::BvAdd, &[x, three]);
        let product = terms.bv(Op::BvMul, &[sum, y]);
        let four = terms.bits(8, 4);
        let mut replacer = Replacer::new();
        let at_four = replacer.replace(&mut terms, product, |_, _| Some(four));
        assert_eq!(at_four, Some(terms.bits(8, 28)));
        replacer.restart();
        let x_var = terms.as_var(x);
        let partly = replacer.replace(&mut terms, product, |terms, var| {
            Some(match Some(var) == x_var {
                true => y,
                false => terms.var_term(var),
            })
        });
        let sum = terms.bv(Op::BvAdd, &[y, three]);
        let expected = terms.bv(Op::BvMul, &[sum, y]);
        assert_eq!(partly, Some(expected));
        replacer.restart();
        assert_eq!(replacer.replace(&mut terms, product, |_, _| None), None);
    }

    #[test]
    fn a_term_told_in_another_table_has_the_same_value() {
        let mut from = Terms::new();
        let x = from.variable(7, Sort::BitVec(8));
        let table = from.table(8, &[5, 9, 2]);
        let entry = from.lookup(table, x);
        let y = from.variable(8, Sort::BitVec(8));
        let sum = from.bv(Op::BvAdd, &[entry, y]);
        let mut to = Terms::new();
        let (a, b) = (
            to.variable(70, Sort::BitVec(8)),
            to.variable(80, Sort::BitVec(8)),
        );
        let keys = [(7, a), (8, b)];
        let input = |var| {
            let key = from.var_key(var);
            keys.iter().find(|(k, _)| *k == key).map(|(_, term)| *term)
        };
        let told = Retold::default().tell(&from, sum, &mut to, input);
        let told = told.expect("both inputs are known");
        let mut model = Model::default();
        model.set(to.as_var(a).expect("an input"), crate::Bits::new(8, 1));
        model.set(to.as_var(b).expect("an input"), crate::Bits::new(8, 4));
        assert_eq!(to.eval_bits(told, &model).low_u64(), 13);
    }
}
