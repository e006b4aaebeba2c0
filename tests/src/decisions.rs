//! Random functions that decide by differences of integers, told in Erlang and in Prolog. How many ways through one there
//! are is known without a solver: a system of differences has a solution unless its graph has a negative circle.

use elsewise_test_random::Random;

const NAMES: [&str; 6] = ["A", "B", "C", "D", "E", "F"];

/// A function: it decides, and ends.
pub enum Decision {
    /// With a number.
    Ends(u32),
    /// In an error.
    Fails,
    If(Condition, Box<[Decision; 2]>),
}

/// An input, or the difference of two, is less than a number.
pub struct Condition {
    input: usize,
    other: Option<usize>,
    than: i64,
}

/// The most that an input may be more than another; the last is no input, but 0.
type Bounds = [[Option<i64>; NAMES.len() + 1]; NAMES.len() + 1];

/// What is still possible if an input is at most so much more than another.
fn bounded(mut bounds: Bounds, input: usize, other: usize, most: i64) -> Option<Bounds> {
    let all = 0..=NAMES.len();
    let before = bounds;
    for from in all.clone() {
        for to in all.clone() {
            let (Some(first), Some(last)) = (before[from][input], before[other][to]) else {
                continue;
            };
            let through = first + most + last;
            if bounds[from][to].is_none_or(|known| through < known) {
                bounds[from][to] = Some(through);
            }
        }
    }
    all.clone()
        .all(|one| bounds[one][one].is_none_or(|bound| bound >= 0))
        .then_some(bounds)
}

impl Condition {
    fn new(random: &mut Random) -> Condition {
        let input = random.below(NAMES.len());
        let other = (input + 1 + random.below(NAMES.len() - 1)) % NAMES.len();
        Condition {
            input,
            other: random.chance(40).then_some(other),
            than: random.between(-20, 20),
        }
    }

    /// What is still possible where it holds, and where it does not.
    fn sides(&self, bounds: &Bounds) -> [Option<Bounds>; 2] {
        let other = self.other.unwrap_or(NAMES.len());
        [
            bounded(*bounds, self.input, other, self.than - 1),
            bounded(*bounds, other, self.input, -self.than),
        ]
    }

    fn text(&self) -> String {
        let name = NAMES[self.input];
        match self.other {
            Some(other) => format!("{name} - {} < {}", NAMES[other], self.than),
            None => format!("{name} < {}", self.than),
        }
    }
}

impl Decision {
    /// With so many decisions on a way through it, unless it ends before.
    pub fn new(random: &mut Random, depth: u32) -> Decision {
        Decision::of(random, depth, &mut 0)
    }

    fn of(random: &mut Random, depth: u32, ends: &mut u32) -> Decision {
        *ends += 1;
        if depth == 0 || random.chance(2) {
            return match random.chance(8) {
                true => Decision::Fails,
                false => Decision::Ends(*ends),
            };
        }
        let condition = Condition::new(random);
        let sides = [(); 2].map(|()| Decision::of(random, depth - 1, ends));
        Decision::If(condition, Box::new(sides))
    }

    /// How many ways through it there are.
    pub fn paths(&self) -> u64 {
        let mut bounds = Bounds::default();
        for (input, bounds) in bounds.iter_mut().enumerate() {
            bounds[input] = Some(0);
        }
        self.paths_within(&bounds)
    }

    fn paths_within(&self, bounds: &Bounds) -> u64 {
        let Decision::If(condition, sides) = self else {
            return 1;
        };
        let possible = condition.sides(bounds).into_iter().zip(sides.iter());
        possible
            .filter_map(|(bounds, side)| Some(side.paths_within(&bounds?)))
            .sum()
    }

    /// A module with `f/6`.
    pub fn erlang(&self) -> String {
        let choice = |condition: &Condition, [then, otherwise]: [String; 2]| {
            let condition = condition.text();
            format!("case {condition} of\ntrue -> {then};\nfalse -> {otherwise}\nend")
        };
        let end = |number: Option<u32>| match number {
            Some(number) => number.to_string(),
            None => "error({wrong, A})".to_owned(),
        };
        let types = NAMES.map(|_| "integer()").join(", ");
        format!(
            "-module(decision).\n-export([f/6]).\n-spec f({types}) -> integer().\nf({}) ->\n{}.\n",
            NAMES.join(", "),
            self.text(&choice, &end)
        )
    }

    /// A predicate `f/7`.
    pub fn prolog(&self) -> String {
        let choice = |condition: &Condition, [then, otherwise]: [String; 2]| {
            let condition = condition.text();
            format!("( {condition}\n-> {then}\n; {otherwise}\n)")
        };
        let end = |number: Option<u32>| match number {
            Some(number) => format!("R = {number}"),
            None => "R is A + foo".to_owned(),
        };
        let modes = NAMES.map(|name| format!("+{name}:integer")).join(", ");
        format!(
            "%! f({modes}, -R:integer) is det.\nf({}, R) :-\n{}.\n",
            NAMES.join(", "),
            self.text(&choice, &end)
        )
    }

    fn text(
        &self,
        choice: &dyn Fn(&Condition, [String; 2]) -> String,
        end: &dyn Fn(Option<u32>) -> String,
    ) -> String {
        match self {
            Decision::Ends(number) => end(Some(*number)),
            Decision::Fails => end(None),
            Decision::If(condition, sides) => choice(
                condition,
                sides.each_ref().map(|side| side.text(choice, end)),
            ),
        }
    }
}
