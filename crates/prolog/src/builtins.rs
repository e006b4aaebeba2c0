//! Built-in predicates that are modelled.

use crate::events::Mark;
use crate::machine::{K, Lost, Machine, Raised, Undo};
use crate::program::{Call, Event};
use crate::signature::INTEGER;
use crate::term::{CONS, NIL, NodeId, Term};
use elsewise_explore::ApproximationKind;
use elsewise_term::TermId;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Constructors that are made known one after the other: a part with more is taken for what it is.
const FEW: usize = 400;
/// Bits of integers that are made known one after the other.
const NARROW: u32 = 9;

type Outcome = Result<bool, Raised>;

impl Machine<'_> {
    pub(crate) fn builtin_goal(
        &mut self,
        event: Event,
        call: &Call,
        args: Vec<Term>,
        next: K,
    ) -> Result<bool, Lost> {
        match (&*call.name, args.as_slice()) {
            ("throw", [ball]) => {
                let ball = self.stored(ball);
                return self.raise(Some(ball));
            }
            ("retract", [clause]) => return self.retract(event, &call.module, clause, next),
            _ => {}
        }
        let here = self.here;
        match self.builtin(call, &args) {
            Ok(true) => {
                self.covered.push((here, 0));
                if !self.wake() {
                    return self.backtrack();
                }
                match self.events.take(Mark::Event(event)) {
                    true => self.go(next),
                    false if !self.pending.is_empty() => self.backtrack(),
                    false => Err(self.differs()),
                }
            }
            Ok(false) => {
                self.covered.push((here, 1));
                self.backtrack()
            }
            Err(Raised) => self.raise(None),
        }
    }

    fn builtin(&mut self, call: &Call, args: &[Term]) -> Outcome {
        match (&*call.name, args) {
            ("=" | "unify_with_occurs_check", [a, b]) => {
                let same = self.unify(a, b);
                Ok(self.branch(same))
            }
            ("\\=" | "dif", [a, b]) if &*call.name == "\\=" => {
                let same = self.unifiable(a, b);
                Ok(!self.branch(same))
            }
            ("dif", [a, b]) => self.dif(call, a, b),
            ("subsumes_term", [general, specific]) => {
                let condition = self.subsumes(general, specific);
                Ok(self.branch(condition))
            }
            ("==", [a, b]) => {
                let same = self.same(a, b);
                Ok(self.branch(same))
            }
            ("\\==", [a, b]) => {
                let same = self.same(a, b);
                Ok(!self.branch(same))
            }
            (name @ ("@<" | "@>" | "@=<" | "@>="), [a, b]) => {
                let order = self.compare(a, b);
                Ok(match name {
                    "@<" => order.is_lt(),
                    "@>" => order.is_gt(),
                    "@=<" => order.is_le(),
                    _ => order.is_ge(),
                })
            }
            ("compare", [how, a, b]) => {
                let found = match self.compare(a, b) {
                    Ordering::Less => "<",
                    Ordering::Equal => "=",
                    Ordering::Greater => ">",
                };
                let same = self.unify(how, &Term::atom(found));
                Ok(self.branch(same))
            }
            (name @ ("<" | ">" | "=<" | ">=" | "=:=" | "=\\="), [a, b]) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let holds = self.compare_numbers(name, &a, &b);
                Ok(self.branch(holds))
            }
            ("is", [result, expression]) => {
                let value = self.eval(expression)?;
                let value = self.num_term(&value);
                let same = self.unify(result, &value);
                Ok(self.branch(same))
            }
            ("succ", [a, b]) => self.succ(a, b),
            ("plus", [a, b, c]) => self.plus(a, b, c),
            ("functor", [term, name, arity]) => self.functor(term, name, arity),
            ("arg", [index, term, arg]) => self.arg(index, term, arg),
            ("=..", [term, list]) => self.univ(term, list),
            ("copy_term" | "copy_term_nat", [term, copy]) => {
                let stored = self.stored(term);
                let fresh = self.loaded(&stored);
                let same = self.unify(copy, &fresh);
                Ok(self.branch(same))
            }
            ("term_variables", [term, list]) => {
                let whole = self.whole(term);
                let mut vars: Vec<Term> = Vec::new();
                whole.with_vars(&mut |var| {
                    if !vars.contains(&Term::Var(var)) {
                        vars.push(Term::Var(var));
                    }
                    Term::Var(var)
                });
                let same = self.unify(list, &Term::list(vars));
                Ok(self.branch(same))
            }
            ("assert" | "assertz", [clause]) => {
                self.assert(&call.module, clause, false);
                Ok(true)
            }
            ("asserta", [clause]) => {
                self.assert(&call.module, clause, true);
                Ok(true)
            }
            ("retractall", [head]) => {
                self.retract_all(&call.module, head);
                Ok(true)
            }
            (name @ ("nb_setval" | "b_setval"), [key, value]) => match self.value(key) {
                Term::Atom(key) => {
                    self.set_global(key, value, name == "b_setval");
                    Ok(true)
                }
                _ => Err(Raised),
            },
            ("nb_getval" | "b_getval", [key, value]) => {
                let Term::Atom(key) = self.value(key) else {
                    return Err(Raised);
                };
                let Some(stored) = self.globals.get(&key).cloned() else {
                    return Err(Raised);
                };
                let known = match stored.vars {
                    0 => stored.term.clone(),
                    _ => self.loaded(&stored),
                };
                let same = self.unify(value, &known);
                Ok(self.branch(same))
            }
            (name, [term]) => {
                let holds = self.of_type(name, term).ok_or(Raised)?;
                Ok(self.branch(holds))
            }
            _ => Err(Raised),
        }
    }

    /// Tests of what a term is.
    fn of_type(&mut self, name: &str, term: &Term) -> Option<TermId> {
        if name == "ground" {
            let ground = self.whole(term).is_ground();
            return Some(self.bool(ground));
        }
        if name == "is_list" {
            return Some(self.is_list(term));
        }
        let term = self.value(term);
        if let Term::Input(node) = term {
            let first = self.inputs.signature.first_compound();
            let last = self.inputs.signature.len();
            let (from, to) = match name {
                "nonvar" => (0, last),
                "var" | "float" | "string" | "blob" => (0, 0),
                "integer" | "number" | "rational" => (0, 1),
                "atom" => (1, first),
                "atomic" => (0, first),
                "compound" => (first, last),
                "callable" => (1, last),
                _ => return None,
            };
            return Some(self.inputs.within(self.terms, node, from, to));
        }
        let is = match name {
            "var" => matches!(term, Term::Var(_)),
            "nonvar" => !matches!(term, Term::Var(_)),
            "integer" | "rational" => matches!(term, Term::Int(_) | Term::Number(_)),
            "float" => matches!(term, Term::Float(_)),
            "number" => matches!(term, Term::Int(_) | Term::Number(_) | Term::Float(_)),
            "atom" => matches!(term, Term::Atom(_)),
            "string" => matches!(term, Term::Text(_)),
            "atomic" => !matches!(term, Term::Var(_) | Term::Compound(_)),
            "compound" => matches!(term, Term::Compound(_)),
            "callable" => matches!(term, Term::Atom(_) | Term::Compound(_)),
            _ => return None,
        };
        Some(self.bool(is))
    }

    /// An integer that is bound, or none; else an error.
    fn bound_int(&mut self, term: &Term) -> Result<Option<TermId>, Raised> {
        match self.value(term) {
            Term::Var(_) => Ok(None),
            Term::Input(node) => {
                let is = self.inputs.is(self.terms, node, INTEGER);
                match self.branch(is) {
                    true => Ok(Some(self.inputs.int(self.terms, node))),
                    false => Err(Raised),
                }
            }
            known @ (Term::Int(_) | Term::Number(_)) => Ok(Some(self.int_term(&known))),
            _ => Err(Raised),
        }
    }

    fn succ(&mut self, a: &Term, b: &Term) -> Outcome {
        let (x, y) = (self.bound_int(a)?, self.bound_int(b)?);
        let zero = Term::int(0);
        for bound in [x, y].into_iter().flatten() {
            let bound = self.number(bound);
            let (bound, none) = (self.eval(&bound)?, self.eval(&zero)?);
            let negative = self.compare_numbers("<", &bound, &none);
            if self.branch(negative) {
                return Err(Raised);
            }
        }
        match (x, y) {
            (Some(x), _) => {
                let x = self.number(x);
                let sum = Term::compound("+", vec![x, Term::int(1)]);
                let sum = self.eval(&sum)?;
                let sum = self.num_term(&sum);
                let same = self.unify(b, &sum);
                Ok(self.branch(same))
            }
            (None, Some(y)) => {
                let y = self.number(y);
                let less = Term::compound("-", vec![y.clone(), Term::int(1)]);
                let (y, none) = (self.eval(&y)?, self.eval(&zero)?);
                let is_zero = self.compare_numbers("=:=", &y, &none);
                if self.branch(is_zero) {
                    return Ok(false);
                }
                let less = self.eval(&less)?;
                let less = self.num_term(&less);
                let same = self.unify(a, &less);
                Ok(self.branch(same))
            }
            (None, None) => Err(Raised),
        }
    }

    fn plus(&mut self, a: &Term, b: &Term, c: &Term) -> Outcome {
        let bound = [self.bound_int(a)?, self.bound_int(b)?, self.bound_int(c)?];
        let (target, name, x, y) = match bound {
            [Some(x), Some(y), _] => (c, "+", x, y),
            [Some(x), None, Some(z)] => (b, "-", z, x),
            [None, Some(y), Some(z)] => (a, "-", z, y),
            _ => return Err(Raised),
        };
        let (x, y) = (self.number(x), self.number(y));
        let value = self.eval(&Term::compound(name, vec![x, y]))?;
        let value = self.num_term(&value);
        let same = self.unify(target, &value);
        Ok(self.branch(same))
    }

    /// Makes known what a part of the inputs begins with.
    pub(crate) fn fix_constructor(&mut self, node: NodeId) -> Term {
        let here = self.here;
        let con = self.inputs.con(self.terms, node);
        let con = self.path.fix(self.terms, &self.inputs.present, here, con);
        let number = self.terms.as_u64(con).unwrap_or(0) as u32;
        self.as_constructor(node, number)
    }

    fn settled(&mut self, term: &Term) -> Term {
        match self.value(term) {
            Term::Input(node) => self.fix_constructor(node),
            other => other,
        }
    }

    fn functor(&mut self, term: &Term, name: &Term, arity: &Term) -> Outcome {
        let (found, count) = match self.settled(term) {
            Term::Var(_) => {
                let (name, arity) = (self.settled(name), self.settled(arity));
                let count = match &arity {
                    Term::Int(_) => arity.as_u32().ok_or(Raised)?,
                    Term::Number(_) => match self.concrete(&arity).as_u32() {
                        Some(count) => {
                            let here = self.here;
                            self.path
                                .approximate(ApproximationKind::OpaqueOperation, here);
                            count
                        }
                        None => return Err(Raised),
                    },
                    _ => return Err(Raised),
                };
                let made = match (&name, count) {
                    (Term::Var(_), _) => return Err(Raised),
                    (name, 0) => match name {
                        Term::Compound(_) => return Err(Raised),
                        _ => name.clone(),
                    },
                    (Term::Atom(name), count) => {
                        let base = self.fresh(count);
                        Term::compound(name.clone(), (base..base + count).map(Term::Var).collect())
                    }
                    _ => return Err(Raised),
                };
                let same = self.unify(term, &made);
                return Ok(self.branch(same));
            }
            Term::Compound(compound) => (
                Term::Atom(compound.name.clone()),
                Term::int(compound.args.len() as i64),
            ),
            other => (other, Term::int(0)),
        };
        let names = self.unify(name, &found);
        let counts = self.unify(arity, &count);
        let both = self.terms.and(names, counts);
        Ok(self.branch(both))
    }

    fn arg(&mut self, index: &Term, term: &Term, arg: &Term) -> Outcome {
        let Term::Compound(compound) = self.settled(term) else {
            return Err(Raised);
        };
        let index = match self.settled(index) {
            Term::Int(index) => usize::try_from(&index).ok(),
            number @ Term::Number(_) => {
                let int = self.int_term(&number);
                let here = self.here;
                let fixed = self.path.fix(self.terms, &self.inputs.present, here, int);
                match self.number(fixed) {
                    Term::Int(index) => usize::try_from(&index).ok(),
                    _ => None,
                }
            }
            _ => return Err(Raised),
        };
        match index.and_then(|index| compound.args.get(index.wrapping_sub(1))) {
            Some(found) => {
                let same = self.unify(arg, found);
                Ok(self.branch(same))
            }
            None => Ok(false),
        }
    }

    fn univ(&mut self, term: &Term, list: &Term) -> Outcome {
        let whole = match self.settled(term) {
            Term::Var(_) => {
                let mut elements = Vec::new();
                let mut rest = self.settled(list);
                while let Some([head, tail]) = rest.args_of::<2>(CONS) {
                    elements.push(head.clone());
                    let tail = tail.clone();
                    rest = self.settled(&tail);
                }
                if !rest.is_atom(NIL) || elements.is_empty() {
                    return Err(Raised);
                }
                let first = self.settled(&elements[0].clone());
                let args = elements.split_off(1);
                let made = match (&first, args.is_empty()) {
                    (Term::Var(_), _) => return Err(Raised),
                    (Term::Compound(_), true) => return Err(Raised),
                    (_, true) => first.clone(),
                    (Term::Atom(name), false) => Term::compound(name.clone(), args),
                    _ => return Err(Raised),
                };
                let same = self.unify(term, &made);
                return Ok(self.branch(same));
            }
            Term::Compound(compound) => {
                let name = Term::Atom(compound.name.clone());
                Term::cons(name, Term::list(compound.args.clone()))
            }
            other => Term::list(vec![other]),
        };
        let same = self.unify(list, &whole);
        Ok(self.branch(same))
    }

    /// What a goal that is not modelled is given has to be known: atoms and small integers one after
    /// the other, large ones as they are.
    pub(crate) fn make_known(&mut self, args: &[Term]) {
        for arg in args {
            let whole = self.whole(arg);
            if whole.is_symbolic() {
                self.make_term_known(&whole);
            }
        }
    }

    fn make_term_known(&mut self, term: &Term) {
        match term {
            Term::Input(node) => {
                let here = self.here;
                if self.inputs.allowed(*node).len() > FEW {
                    self.path.approximate(ApproximationKind::OpaqueCall, here);
                    return;
                }
                let known = self.fix_constructor(*node);
                self.make_term_known(&known);
            }
            Term::Number(int) => {
                let here = self.here;
                match self.terms.width(*int) <= NARROW {
                    true => {
                        self.path.fix(self.terms, &self.inputs.present, here, *int);
                    }
                    false => self.path.approximate(ApproximationKind::OpaqueCall, here),
                }
            }
            Term::Compound(compound) if compound.symbolic => {
                for arg in &compound.args {
                    self.make_term_known(arg);
                }
            }
            _ => {}
        }
    }

    /// Takes over what a goal that is not modelled has bound.
    pub(crate) fn adopt_all(&mut self, args: &[Term], told: &[Term]) {
        let mut vars: FxHashMap<u32, Term> = FxHashMap::default();
        for (arg, told) in args.iter().zip(told) {
            self.adopt(arg, told, &mut vars);
        }
    }

    fn adopt(&mut self, arg: &Term, told: &Term, vars: &mut FxHashMap<u32, Term>) {
        let mut open = vec![(arg.clone(), told.clone())];
        while let Some((arg, told)) = open.pop() {
            let arg = self.value(&arg);
            match (&arg, &told) {
                (Term::Var(var), Term::Var(number)) => match vars.get(number) {
                    Some(known) => {
                        let known = known.clone();
                        self.unify(&arg, &known);
                    }
                    None => {
                        vars.insert(*number, Term::Var(*var));
                    }
                },
                (Term::Var(var), _) => {
                    let made = told.with_vars(&mut |number| {
                        if let Some(known) = vars.get(&number) {
                            return known.clone();
                        }
                        let fresh = Term::Var(self.bindings.len() as u32);
                        self.bindings.push(None);
                        vars.insert(number, fresh.clone());
                        fresh
                    });
                    self.bind(*var, made);
                }
                (Term::Compound(x), Term::Compound(y)) if x.args.len() == y.args.len() => {
                    for (x, y) in x.args.iter().zip(&y.args) {
                        open.push((x.clone(), y.clone()));
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether a term is at least as general as another: it can be made the same without binding
    /// anything in the other.
    fn subsumes(&mut self, general: &Term, specific: &Term) -> TermId {
        let mut own = Vec::new();
        self.whole(specific).with_vars(&mut |var| {
            own.push(var);
            Term::Var(var)
        });
        let (mark, woken) = (self.trail.len(), self.woken);
        let condition = self.unify(general, specific);
        let binds = |undo: &Undo| matches!(undo, Undo::Bound(var) if own.contains(var));
        let bound = self.trail[mark..].iter().any(binds);
        self.undo(mark);
        self.woken = woken;
        match bound {
            true => self.bool(false),
            false => condition,
        }
    }

    fn dif(&mut self, call: &Call, a: &Term, b: &Term) -> Outcome {
        let same = self.same(a, b);
        if self.holds(same) {
            return Ok(!self.branch(same));
        }
        let unifiable = self.unifiable(a, b);
        if self.is_decided(a, b) {
            return Ok(!self.branch(unifiable));
        }
        self.pend(call.clone(), vec![a.clone(), b.clone()]);
        Ok(true)
    }

    /// Whether two terms have no variables left that could make them the same.
    fn is_decided(&mut self, a: &Term, b: &Term) -> bool {
        let (a, b) = (self.whole(a), self.whole(b));
        if a.is_ground() && b.is_ground() {
            return true;
        }
        let (mark, woken) = (self.trail.len(), self.woken);
        let condition = self.unify(&a, &b);
        let bound = self.trail.len() > mark;
        self.undo(mark);
        self.woken = woken;
        self.terms.as_bool(condition) == Some(false) || !bound
    }
}
