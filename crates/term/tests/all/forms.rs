//! Forms that the constructors are counted on to find.

use elsewise_term::{Bits, Model, Op, Sort, TermId, Terms};

fn byte(terms: &mut Terms, key: u64) -> TermId {
    terms.variable(key, Sort::BitVec(8))
}

#[test]
fn a_bool_survives_the_way_through_integers() {
    let mut terms = Terms::new();
    let x = byte(&mut terms, 0);
    let k = terms.bits(8, 7);
    let c = terms.compare(Op::BvUlt, x, k);
    let bit = terms.bool_to_bits(c);
    assert_eq!(terms.bits_to_bool(bit), c);
    let word = terms.zero_extend(bit, 32);
    let zero = terms.bits(32, 0);
    let is_zero = terms.eq(word, zero);
    assert_eq!(terms.not(is_zero), c);
    let flipped = terms.bv(Op::BvNot, &[bit]);
    assert_eq!(terms.bits_to_bool(flipped), is_zero);
}

#[test]
fn negation_is_an_involution_on_comparisons() {
    let mut terms = Terms::new();
    let (x, y) = (byte(&mut terms, 0), byte(&mut terms, 1));
    for op in [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle] {
        let k = terms.bits(8, 100);
        for (a, b) in [(x, y), (x, k), (k, x)] {
            let c = terms.compare(op, a, b);
            let not = terms.not(c);
            assert_ne!(terms.op(not), Some(Op::Not));
            assert_eq!(terms.not(not), c);
            let never = terms.bool(false);
            assert_eq!(terms.and(c, not), never, "{op:?}");
        }
    }
}

#[test]
fn bytes_put_together_are_a_concatenation_and_come_apart() {
    let mut terms = Terms::new();
    let bytes: Vec<TermId> = (0..4).map(|key| byte(&mut terms, key)).collect();
    let mut word = terms.bits(32, 0);
    for (index, byte) in bytes.iter().enumerate() {
        let wide = terms.zero_extend(*byte, 32);
        let by = terms.bits(32, 8 * index as u64);
        let shifted = terms.bv(Op::BvShl, &[wide, by]);
        word = terms.bv(Op::BvOr, &[word, shifted]);
    }
    for (index, byte) in bytes.iter().enumerate() {
        assert_eq!(terms.extract(word, 8 * index as u32, 8), *byte);
    }
    let magic = terms.bits(32, 0x464c_457f);
    let same = terms.eq(word, magic);
    let mut all = terms.bool(true);
    for (byte, value) in bytes.iter().zip([0x7f, 0x45, 0x4c, 0x46]) {
        let value = terms.bits(8, value);
        let same = terms.eq(*byte, value);
        all = terms.and(all, same);
    }
    let vars: Vec<_> = bytes
        .iter()
        .map(|byte| terms.as_var(*byte).unwrap())
        .collect();
    assert_eq!(terms.support(same), vars);
    let mut model = Model::default();
    for (var, value) in vars.iter().zip([0x7f, 0x45, 0x4c, 0x46]) {
        model.set(*var, Bits::new(8, value));
    }
    assert!(terms.eval_bool(same, &model) && terms.eval_bool(all, &model));
}

#[test]
fn chains_of_constants_merge() {
    let mut terms = Terms::new();
    let x = terms.variable(0, Sort::BitVec(32));
    let mut sum = x;
    for k in 1..=100 {
        let k = terms.bits(32, k);
        sum = terms.bv(Op::BvAdd, &[sum, k]);
    }
    let k = terms.bits(32, 5050);
    let back = terms.bv(Op::BvSub, &[sum, k]);
    assert_eq!(back, x);
    let same = terms.eq(sum, k);
    let zero = terms.bits(32, 0);
    assert_eq!(same, terms.eq(x, zero));
}

#[test]
fn comparisons_of_extended_bytes_are_comparisons_of_bytes() {
    let mut terms = Terms::new();
    let x = byte(&mut terms, 0);
    let wide = terms.zero_extend(x, 32);
    let k = terms.bits(32, 65);
    let narrow = terms.bits(8, 65);
    let c = terms.compare(Op::BvSlt, wide, k);
    assert_eq!(c, terms.compare(Op::BvUlt, x, narrow));
    let never = terms.bits(32, 300);
    let top = terms.compare(Op::BvSlt, wide, never);
    assert_eq!(terms.as_bool(top), Some(true));
    let signed = terms.sign_extend(x, 32);
    let c = terms.compare(Op::BvSlt, signed, k);
    assert_eq!(c, terms.compare(Op::BvSlt, x, narrow));
    let same = terms.eq(signed, never);
    assert_eq!(terms.as_bool(same), Some(false));
}

#[test]
fn terms_a_million_deep_are_built_evaluated_walked_and_printed() {
    let mut terms = Terms::new();
    let x = terms.variable(0, Sort::BitVec(16));
    let y = terms.variable(1, Sort::BitVec(16));
    let mut chain = x;
    for index in 0..1_000_000u64 {
        let op = [Op::BvAdd, Op::BvXor, Op::BvMul][index as usize % 3];
        let k = terms.bits(16, index | 1);
        let mixed = terms.bv(Op::BvXor, &[y, k]);
        chain = terms.bv(op, &[chain, mixed]);
    }
    let zero = terms.bits(16, 0);
    let root = terms.eq(chain, zero);
    let mut model = Model::default();
    model.set(terms.as_var(x).unwrap(), Bits::new(16, 3));
    model.set(terms.as_var(y).unwrap(), Bits::new(16, 9));
    let mut value = 3u16;
    for index in 0..1_000_000u64 {
        let mixed = 9 ^ (index | 1) as u16;
        value = match index % 3 {
            0 => value.wrapping_add(mixed),
            1 => value ^ mixed,
            _ => value.wrapping_mul(mixed),
        };
    }
    assert_eq!(terms.eval_bits(chain, &model), Bits::new(16, value.into()));
    assert_eq!(terms.eval_bool(root, &model), value == 0);
    assert_eq!(terms.support(root).len(), 2);
    assert!(terms.smtlib(root).len() > 1_000_000);
}

#[test]
fn smtlib_names_what_is_shared() {
    let mut terms = Terms::new();
    let x = byte(&mut terms, 7);
    let y = byte(&mut terms, 8);
    let sum = terms.bv(Op::BvAdd, &[x, y]);
    let square = terms.bv(Op::BvMul, &[sum, sum]);
    let low = terms.extract(square, 0, 4);
    let k = terms.bits(4, 5);
    let root = terms.compare(Op::BvUlt, low, k);
    let name = sum.index();
    assert_eq!(
        terms.smtlib(root),
        format!(
            "(let ((t{name} (bvadd x7 x8))) (bvult ((_ extract 3 0) (bvmul t{name} t{name})) #b0101))"
        )
    );
    assert!(
        terms
            .smtlib_script(root)
            .contains("(declare-const x7 (_ BitVec 8))")
    );
}

#[test]
fn tables_are_made_once_and_fold() {
    let mut terms = Terms::new();
    let x = byte(&mut terms, 0);
    let table = terms.table(4, &[1, 2, 0x13]);
    assert_eq!(terms.table(4, &[1, 2, 3]), table, "cut to the width");
    assert_ne!(terms.table(5, &[1, 2, 3]), table);
    let term = terms.lookup(table, x);
    assert_eq!(terms.lookup(table, x), term);
    let word = terms.zero_extend(x, 64);
    assert_eq!(terms.lookup(table, word), term);
    for (index, entry) in [(0, 1), (2, 3), (255, 3)] {
        let index = terms.bits(8, index);
        assert_eq!(terms.lookup(table, index), terms.bits(4, entry));
    }
    let same = terms.table(4, &[7; 9]);
    assert_eq!(terms.lookup(same, x), terms.bits(4, 7));
    // Which entry it is says which index, and the last one stands for all beyond.
    let [first, last, none] = [1, 3, 9].map(|entry| {
        let wanted = terms.bits(4, entry);
        terms.eq(term, wanted)
    });
    let [zero, two] = [0, 2].map(|index| terms.bits(8, index));
    assert_eq!(first, terms.eq(x, zero));
    assert_eq!(last, terms.compare(Op::BvUle, two, x));
    assert_eq!(terms.as_bool(none), Some(false));
    // No entry has the bit above: 3 < 4 is always so.
    let four = terms.bits(4, 4);
    let below = terms.compare(Op::BvUlt, term, four);
    assert_eq!(terms.as_bool(below), Some(true));
    assert_eq!(
        terms.smtlib(term),
        "(let ((i3 x0)) (ite (distinct ((_ extract 7 2) i3) (_ bv0 6)) (_ bv3 4) \
         (ite (= ((_ extract 1 1) i3) #b1) (_ bv3 4) \
         (ite (= ((_ extract 0 0) i3) #b1) (_ bv2 4) (_ bv1 4)))))"
    );
}
