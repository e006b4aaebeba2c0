//! Expressions without effects: no choice, no call, no access at an index that depends on input.

use elsewise_test_random::Random;

/// An integer type of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    pub bits: u32,
    pub signed: bool,
}

impl Type {
    pub const ALL: [Type; 8] = [
        Type::new(8, false),
        Type::new(8, true),
        Type::new(16, false),
        Type::new(16, true),
        Type::new(32, false),
        Type::new(32, true),
        Type::new(64, false),
        Type::new(64, true),
    ];

    const fn new(bits: u32, signed: bool) -> Type {
        Type { bits, signed }
    }

    pub fn name(self) -> String {
        format!("{}{}", if self.signed { "i" } else { "u" }, self.bits)
    }

    /// The unsigned type in which arithmetic wraps instead of being undefined: at least as wide as
    /// `int`, since anything narrower would be promoted to it.
    fn wrapping(self) -> &'static str {
        if self.bits == 64 { "u64" } else { "u32" }
    }

    /// A constant of the type, as C spells it: around the values that comparisons turn on.
    pub fn constant(self, random: &mut Random) -> String {
        let value: i128 = match random.below(6) {
            0 => i128::from(random.between(0, 3)),
            1 => i128::from(random.word() as u8),
            2 => i128::from(random.word() as u16),
            3 => self.lowest() + i128::from(random.between(0, 2)),
            4 => self.highest() - i128::from(random.between(0, 2)),
            _ if self.signed => i128::from(random.between(-130, -1)),
            _ => i128::from(random.between(60, 260)),
        };
        self.spell(value)
    }

    pub fn lowest(self) -> i128 {
        if self.signed {
            -(1 << (self.bits - 1))
        } else {
            0
        }
    }

    pub fn highest(self) -> i128 {
        (1 << (self.bits - u32::from(self.signed))) - 1
    }

    /// `value`, cut to the type.
    pub fn spell(self, value: i128) -> String {
        let span = 1i128 << self.bits;
        let mut value = value.rem_euclid(span);
        if value > self.highest() {
            value -= span;
        }
        if value == i128::from(i64::MIN) {
            // The positive half of this literal would not fit.
            return "(-9223372036854775807ll - 1)".to_owned();
        }
        let suffix = match (self.bits, self.signed) {
            (64, true) => "ll",
            (64, false) => "ull",
            (32, false) => "u",
            _ => "",
        };
        match value < 0 {
            true => format!("({value}{suffix})"),
            false => format!("{value}{suffix}"),
        }
    }
}

pub fn any_type(random: &mut Random) -> Type {
    *random.pick(&Type::ALL)
}

/// What an expression can mention: C text and its type.
#[derive(Clone, Debug)]
pub struct Operand {
    pub text: String,
    pub kind: Type,
}

/// An expression of type `kind` over `operands`.
pub fn pure(random: &mut Random, operands: &[Operand], kind: Type, depth: u32) -> String {
    let name = kind.name();
    if depth == 0 || random.chance(15) {
        return leaf(random, operands, kind);
    }
    let wide = kind.wrapping();
    let a = pure(random, operands, kind, depth - 1);
    match random.below(17) {
        0..=4 => {
            let operator = random.pick(&["+", "-", "*", "&", "|", "^"]);
            let b = pure(random, operands, kind, depth - 1);
            format!("({name})(({wide})({a}) {operator} ({wide})({b}))")
        }
        5 | 6 => {
            // Division is expensive to decide; a narrow divisor keeps it within bounds.
            let operator = random.pick(&["/", "%"]);
            let b = leaf(random, operands, kind);
            format!(
                "({name})(({name})({a}) {operator} {})",
                divisor(random, kind, &b)
            )
        }
        7 => {
            let amount = amount(random, operands, kind);
            format!("({name})(({wide})({a}) << {amount})")
        }
        8 => {
            // Arithmetic for signed types, logical for others.
            let amount = amount(random, operands, kind);
            format!("({name})(({name})({a}) >> {amount})")
        }
        9 => format!("({name})(~({wide})({a}))"),
        10 => format!("({name})(0 - ({wide})({a}))"),
        11 => {
            let operator = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
            let b = pure(random, operands, kind, depth - 1);
            format!("({name})(({name})({a}) {operator} ({name})({b}))")
        }
        12 => format!("({name})!({a})"),
        // Through a narrower or wider type and back: truncation and both extensions.
        13 | 14 => {
            let other = any_type(random);
            let inner = pure(random, operands, other, depth - 1);
            format!("({name})({})({inner})", other.name())
        }
        15 => {
            // Two bytes put together, in either order.
            let low = leaf(
                random,
                operands,
                Type {
                    bits: 8,
                    signed: false,
                },
            );
            let high = leaf(
                random,
                operands,
                Type {
                    bits: 8,
                    signed: false,
                },
            );
            format!("({name})((u32)(u8)({low}) | (u32)(u8)({high}) << 8)")
        }
        _ => a,
    }
}

fn leaf(random: &mut Random, operands: &[Operand], kind: Type) -> String {
    if random.chance(25) || operands.is_empty() {
        return kind.constant(random);
    }
    let operand = random.pick(operands);
    match operand.kind == kind {
        true => operand.text.clone(),
        false => format!("({})({})", kind.name(), operand.text),
    }
}

/// A divisor that is never 0, and never -1 where that could overflow.
fn divisor(random: &mut Random, kind: Type, b: &str) -> String {
    if random.chance(30) {
        let value = random.between(2, 11);
        let negative = kind.signed && random.chance(30);
        return kind.spell(i128::from(if negative { -value } else { value }));
    }
    match (kind.signed, kind.bits) {
        // In `int` after promotion: -128 / -1 is 128.
        (true, 8 | 16) => format!("(({b}) | 1)"),
        (true, _) => format!("((({b}) & 127) | 1)"),
        (false, _) => format!("(({b}) | {})", kind.spell(1)),
    }
}

fn amount(random: &mut Random, operands: &[Operand], kind: Type) -> String {
    if random.chance(50) {
        return random.below(kind.bits as usize).to_string();
    }
    let by = leaf(
        random,
        operands,
        Type {
            bits: 8,
            signed: false,
        },
    );
    format!("(({by}) & {})", kind.bits - 1)
}

/// A comparison of two expressions, sometimes of different types, as C then converts them.
///
/// Mostly of a byte of something with a byte: over all inputs a byte takes many values, so that both
/// sides of the comparison are met, while a wide value seldom comes near a constant.
pub fn comparison(random: &mut Random, operands: &[Operand]) -> String {
    let order = *random.pick(&["<", "<=", ">", ">="]);
    let equality = *random.pick(&["==", "!="]);
    match random.below(10) {
        0..=3 => {
            let narrow = Type {
                bits: 8,
                signed: random.chance(50),
            };
            let inner = any_type(random);
            let a = pure(random, operands, inner, 2);
            let constant = narrow.spell(i128::from(random.word() as u8));
            let operator = if random.chance(70) { order } else { equality };
            format!("({})({a}) {operator} {constant}", narrow.name())
        }
        4 => {
            let kind = any_type(random);
            let a = pure(random, operands, kind, 2);
            format!("({a}) & {}", 1 << random.below(kind.bits.min(8) as usize))
        }
        5 => {
            let (kind, other) = (any_type(random), any_type(random));
            let a = pure(random, operands, kind, 1);
            let b = pure(random, operands, other, 1);
            format!("{a} {order} {b}")
        }
        6 => {
            let operand = random.pick(operands).clone();
            let value = operand.kind.spell(i128::from(random.word() as u8));
            format!("{} {equality} {value}", operand.text)
        }
        7 => {
            let operand = random.pick(operands).clone();
            let other = random.pick(operands).clone();
            let wide = if random.chance(50) { "i64" } else { "i32" };
            format!(
                "({wide})({}) {order} ({wide})({})",
                operand.text, other.text
            )
        }
        _ => {
            let kind = any_type(random);
            let a = pure(random, operands, kind, 2);
            let b = match random.chance(50) {
                true => kind.constant(random),
                false => pure(random, operands, kind, 1),
            };
            let operator = if random.chance(70) { order } else { equality };
            format!("{a} {operator} {b}")
        }
    }
}
