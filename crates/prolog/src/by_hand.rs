//! A small program and machines on it, for unit tests: terms are written as the server writes them.

use crate::events::Events;
use crate::inputs::{Inputs, Limits};
use crate::machine::Machine;
use crate::program::Program;
use crate::term::Term;
use crate::text;
use crate::types::Type;
use elsewise_term::Terms;
use std::sync::Arc;

pub fn term(text: &str) -> Term {
    text::parse(text).unwrap_or_else(|| panic!("{text}"))
}

/// What the server would say of a program.
pub fn program(lines: &[&str]) -> Program {
    let lines: Vec<Term> = lines.iter().map(|line| term(line)).collect();
    Program::read(&lines).expect("a program")
}

/// One predicate whose clauses mention `a`, `b`, `[]`, `f/1`, `g/2` and lists.
pub fn mentions() -> Program {
    program(&[
        "pred(0,user,p,2,static,'p.pl',1)",
        "clause(0,1,1,p(a,f(b)),true)",
        "clause(0,2,2,p([],g(_0,[_0|_1])),true)",
    ])
}

/// Terms of what [`mentions`] mentions.
pub const TERMS: [&str; 18] = [
    "a", "b", "[]", "0", "1", "-3", "f(a)", "f(b)", "f(1)", "f(f(a))", "g(a,b)", "g(a,a)",
    "g(1,[])", "[a]", "[a,b]", "[1]", "[a|b]", "[[a]]",
];

/// A machine whose inputs are these now, and could be anything.
pub fn with<R>(
    program: &Program,
    terms: &mut Terms,
    values: &[&str],
    events: &str,
    work: impl FnOnce(&mut Machine<'_>, Vec<Term>) -> R,
) -> R {
    let limits = Limits {
        depth: 4,
        integer_bits: 8,
    };
    let mut inputs = Inputs::new(&program.signature, &limits);
    let any = Arc::new(Type::Any);
    let values = values.iter().enumerate();
    let args = values
        .map(|(argument, value)| inputs.root(argument, &any, term(value)))
        .collect();
    let mut machine = Machine::new(program, terms, inputs, Events::new(events));
    work(&mut machine, args)
}

impl Machine<'_> {
    /// A term whose variables are new ones of the machine.
    pub fn made(&mut self, text: &str) -> Term {
        let term = term(text);
        let mut most = 0;
        term.with_vars(&mut |number| {
            most = most.max(number + 1);
            Term::Var(number)
        });
        let base = self.fresh(most);
        term.with_vars(&mut |number| Term::Var(base + number))
    }
}
