//! A small part of C, evaluated here: expressions of integers, assignments, `if` and calls. Models are run
//! as C programs; this is for the reference that the generated code is tested against.

use elsewise_statechart::expression::{Expression, Step};

/// Why something has no value here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown(pub String);

/// What names and calls mean.
pub trait Meaning {
    fn get(&self, name: &str) -> Option<i64>;
    fn set(&mut self, name: &str, value: i64);
    fn call(&mut self, name: &str, arguments: &[i64]) -> Option<i64>;
}

/// The value of an expression, computed as C does with `int`.
pub fn value(expression: &Expression, meaning: &mut dyn Meaning) -> Result<i64, Unknown> {
    Ok(match expression {
        Expression::Number(number) => *number,
        Expression::Name(name) => meaning
            .get(name)
            .ok_or_else(|| Unknown(format!("{name} has no value")))?,
        Expression::Unary(operator, inner) => {
            let inner = value(inner, meaning)?;
            match *operator {
                "!" => i64::from(inner == 0),
                "-" => int(inner.checked_neg())?,
                "~" => !inner,
                _ => inner,
            }
        }
        Expression::Binary("&&", left, right) => {
            i64::from(value(left, meaning)? != 0 && value(right, meaning)? != 0)
        }
        Expression::Binary("||", left, right) => {
            i64::from(value(left, meaning)? != 0 || value(right, meaning)? != 0)
        }
        Expression::Binary(operator, left, right) => {
            let left = value(left, meaning)?;
            binary(operator, left, value(right, meaning)?)?
        }
        Expression::Either(condition, one, other) => match value(condition, meaning)? {
            0 => value(other, meaning)?,
            _ => value(one, meaning)?,
        },
        Expression::Call(name, arguments) => {
            let mut values = Vec::new();
            for argument in arguments {
                values.push(value(argument, meaning)?);
            }
            meaning
                .call(name, &values)
                .ok_or_else(|| Unknown(format!("{name}() is not known")))?
        }
    })
}

/// Does what steps say.
pub fn perform(steps: &[Step], meaning: &mut dyn Meaning) -> Result<(), Unknown> {
    for step in steps {
        match step {
            Step::Assign(name, expression) => {
                let value = value(expression, meaning)?;
                meaning.set(name, value);
            }
            Step::Do(expression) => {
                value(expression, meaning)?;
            }
            Step::If(condition, one, other) => match value(condition, meaning)? {
                0 => perform(other, meaning)?,
                _ => perform(one, meaning)?,
            },
        }
    }
    Ok(())
}

/// A value that C's `int` has.
fn int(value: Option<i64>) -> Result<i64, Unknown> {
    value
        .filter(|value| i32::try_from(*value).is_ok())
        .ok_or_else(|| Unknown("an overflow of int".to_owned()))
}

fn binary(operator: &str, left: i64, right: i64) -> Result<i64, Unknown> {
    let shift = u32::try_from(right).ok().filter(|bits| *bits < 32);
    Ok(match operator {
        "+" => int(left.checked_add(right))?,
        "-" => int(left.checked_sub(right))?,
        "*" => int(left.checked_mul(right))?,
        "/" | "%" if right == 0 => return Err(Unknown("a division by zero".to_owned())),
        "/" => left / right,
        "%" => left % right,
        "<<" => int(shift.and_then(|bits| left.checked_shl(bits)))?,
        ">>" => int(shift.map(|bits| left >> bits))?,
        "&" => left & right,
        "|" => left | right,
        "^" => left ^ right,
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<" => i64::from(left < right),
        ">" => i64::from(left > right),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(left >= right),
        other => return Err(Unknown(format!("{other} is not known"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_statechart::expression::{parse_expression, parse_statements};
    use std::collections::BTreeMap;

    /// Variables, and calls written down in order.
    #[derive(Clone, Debug, Default)]
    struct Variables {
        values: BTreeMap<String, i64>,
        calls: Vec<(String, Vec<i64>)>,
    }

    impl Meaning for Variables {
        fn get(&self, name: &str) -> Option<i64> {
            self.values.get(name).copied()
        }
        fn set(&mut self, name: &str, value: i64) {
            self.values.insert(name.to_owned(), value);
        }
        fn call(&mut self, name: &str, arguments: &[i64]) -> Option<i64> {
            self.calls.push((name.to_owned(), arguments.to_vec()));
            Some(0)
        }
    }

    fn of(text: &str) -> Result<i64, Unknown> {
        let mut variables = Variables::default();
        variables.set("x", 7);
        variables.set("me->y", 3);
        value(
            &parse_expression(text).ok_or(Unknown("no C".to_owned()))?,
            &mut variables,
        )
    }

    #[test]
    fn values_are_those_of_c() {
        for (text, expected) in [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("x - me->y - 1", 3),
            ("-x / 2", -3),
            ("x > 3 && me->y != 3 || x == 7", 1),
            ("!x ? 10 : x < 8 ? 20 : 30", 20),
            ("'a' + 0x10U", 113),
            ("7 & 3 == 3", 1),
            ("true", 1),
            ("~0 & 0xff", 255),
        ] {
            assert_eq!(of(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_c_leaves_open_has_no_value() {
        for text in ["1 / 0", "2147483647 + 1", "1 << 40", "z"] {
            assert!(of(text).is_err(), "{text}");
        }
    }

    #[test]
    fn steps_change_variables_and_call() {
        let text = "x = 1; x += 4; y++; if (x > 4) { log(x, y); } else log(0); // done\n;";
        let mut variables = Variables::default();
        variables.set("y", 8);
        perform(&parse_statements(text).unwrap(), &mut variables).unwrap();
        assert_eq!(variables.values["x"], 5);
        assert_eq!(variables.calls, [("log".to_owned(), vec![5, 9])]);
    }
}
