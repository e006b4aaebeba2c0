//! A model changes a word of its own no more than it has to.

use elsewise_solve::{Answer, Query, Settings, Solver};
use elsewise_term::{Bits, Model, Op, Sort, Terms};

fn solved(present: u64, least: u64, most: u64) -> u64 {
    let mut terms = Terms::new();
    let length = terms.variable(1, Sort::BitVec(64));
    let low = terms.bits(64, least);
    let high = terms.bits(64, most);
    let bound = terms.compare(Op::BvUle, length, high);
    let wanted = terms.compare(Op::BvUle, low, length);
    let var = terms.as_var(length).unwrap();
    let mut model = Model::default();
    model.set(var, Bits::new(64, present));
    let query = Query {
        prefix: &[bound],
        wanted,
        present: &model,
    };
    // Without the search, which begins at the present model anyway.
    let off = vec!["search".to_owned(), "syntactic".to_owned()];
    let mut solver = Solver::new(Settings {
        off,
        ..Settings::default()
    });
    match solver.solve(&mut terms, &query) {
        Answer::Sat(model) => model.get(var).unwrap().to_u64().unwrap(),
        answer => panic!("{answer:?}"),
    }
}

#[test]
fn a_length_grows_only_as_far_as_it_must() {
    assert_eq!(solved(0, 4, 4096), 4);
    assert_eq!(solved(3, 4, 4096), 4);
    assert_eq!(solved(0, 1, 1), 1);
    assert_eq!(solved(0, 4095, 4096), 4095);
}

#[test]
fn a_length_that_fits_stays() {
    assert_eq!(solved(17, 4, 4096), 17);
}
