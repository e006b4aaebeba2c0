//! Logic gates as clauses of a SAT solver: constants propagate, equal gates are made once.

use rustc_hash::FxHashMap;

/// A literal: a variable of the SAT solver or, negative, its negation.
pub(super) type Lit = i32;

pub(super) const TRUE: Lit = 1;
pub(super) const FALSE: Lit = -1;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Mux(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
    Parity(Lit, Lit, Lit),
}

pub(super) struct Gates {
    pub sat: cadical::Solver,
    known: FxHashMap<Gate, Lit>,
    next: Lit,
}

impl Gates {
    pub fn new() -> Gates {
        let mut sat: cadical::Solver = cadical::Solver::new();
        sat.add_clause([TRUE]);
        Gates {
            sat,
            known: FxHashMap::default(),
            next: 2,
        }
    }

    /// Variables so far.
    pub fn size(&self) -> usize {
        self.next as usize
    }

    pub fn fresh(&mut self) -> Lit {
        let lit = self.next;
        self.next += 1;
        lit
    }

    pub fn constant(value: bool) -> Lit {
        if value { TRUE } else { FALSE }
    }

    fn gate(&mut self, gate: Gate, clauses: impl FnOnce(&mut cadical::Solver, Lit)) -> Lit {
        if let Some(lit) = self.known.get(&gate) {
            return *lit;
        }
        let out = self.fresh();
        clauses(&mut self.sat, out);
        self.known.insert(gate, out);
        out
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        if a == FALSE || b == FALSE || a == -b {
            return FALSE;
        }
        if a == TRUE || a == b {
            return b;
        }
        if b == TRUE {
            return a;
        }
        self.gate(Gate::And(a, b), |sat, out| {
            sat.add_clause([-out, a]);
            sat.add_clause([-out, b]);
            sat.add_clause([out, -a, -b]);
        })
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        -self.and(-a, -b)
    }

    /// All of them.
    pub fn all(&mut self, mut lits: Vec<Lit>) -> Lit {
        lits.retain(|lit| *lit != TRUE);
        lits.sort_unstable();
        lits.dedup();
        match *lits {
            [] => return TRUE,
            [lit] => return lit,
            [a, b] => return self.and(a, b),
            _ => {}
        }
        if lits.contains(&FALSE) || lits.iter().any(|lit| lits.binary_search(&-lit).is_ok()) {
            return FALSE;
        }
        let out = self.fresh();
        for lit in &lits {
            self.sat.add_clause([-out, *lit]);
        }
        self.sat
            .add_clause(lits.into_iter().map(|lit| -lit).chain([out]));
        out
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if a == FALSE || b == FALSE {
            return if a == FALSE { b } else { a };
        }
        if a == TRUE || b == TRUE {
            return if a == TRUE { -b } else { -a };
        }
        if a.abs() == b.abs() {
            return Gates::constant(a != b);
        }
        // Signs move to the output, so that four gates are one.
        let flip = (a < 0) != (b < 0);
        let (x, y) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
        let out = self.gate(Gate::Xor(x, y), |sat, out| {
            sat.add_clause([-out, x, y]);
            sat.add_clause([-out, -x, -y]);
            sat.add_clause([out, -x, y]);
            sat.add_clause([out, x, -y]);
        });
        if flip { -out } else { out }
    }

    /// `c ? a : b`
    pub fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if c == TRUE || a == b {
            return a;
        }
        if c == FALSE {
            return b;
        }
        if c < 0 {
            return self.mux(-c, b, a);
        }
        if a == TRUE || a == c {
            return self.or(c, b);
        }
        if a == FALSE || a == -c {
            return self.and(-c, b);
        }
        if b == TRUE || b == -c {
            return self.or(-c, a);
        }
        if b == FALSE || b == c {
            return self.and(c, a);
        }
        if a == -b {
            return -self.xor(c, a);
        }
        self.gate(Gate::Mux(c, a, b), |sat, out| {
            sat.add_clause([-c, -a, out]);
            sat.add_clause([-c, a, -out]);
            sat.add_clause([c, -b, out]);
            sat.add_clause([c, b, -out]);
            sat.add_clause([-a, -b, out]);
            sat.add_clause([a, b, -out]);
        })
    }

    /// At least two of three: the carry of a sum.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        lits.sort_unstable_by_key(|lit| (lit.abs(), *lit));
        let [a, b, c] = lits;
        // TRUE and FALSE sort first.
        match a {
            TRUE => return self.or(b, c),
            FALSE => return self.and(b, c),
            _ => {}
        }
        if a == b || b == c {
            return b;
        }
        if a == -b {
            return c;
        }
        if b == -c {
            return a;
        }
        if a < 0 && b < 0 && c < 0 {
            return -self.majority(-a, -b, -c);
        }
        self.gate(Gate::Majority(a, b, c), |sat, out| {
            sat.add_clause([-a, -b, out]);
            sat.add_clause([-a, -c, out]);
            sat.add_clause([-b, -c, out]);
            sat.add_clause([a, b, -out]);
            sat.add_clause([a, c, -out]);
            sat.add_clause([b, c, -out]);
        })
    }

    /// An odd number of three: the sum.
    pub fn parity(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let flip = [a, b, c].iter().filter(|lit| **lit < 0).count() % 2 == 1;
        let mut lits = [a.abs(), b.abs(), c.abs()];
        lits.sort_unstable();
        let [a, b, c] = lits;
        let out = if a == TRUE {
            -self.xor(b, c)
        } else if a == b {
            c
        } else if b == c {
            a
        } else {
            self.gate(Gate::Parity(a, b, c), |sat, out| {
                for signs in 0..8u32 {
                    let sign = |bit: u32, lit: Lit| if signs >> bit & 1 == 1 { -lit } else { lit };
                    // With these inputs, the output is set iff an odd number of them is.
                    let odd = signs.count_ones() % 2 == 1;
                    sat.add_clause([
                        sign(0, a),
                        sign(1, b),
                        sign(2, c),
                        if odd { out } else { -out },
                    ]);
                }
            })
        };
        if flip { -out } else { out }
    }
}
