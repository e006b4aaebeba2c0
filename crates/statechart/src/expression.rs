//! A small part of C, evaluated here: expressions of integers, assignments, `if` and calls.
//!
//! Models are run as C programs; this is for what stands beside them: the reference that the generated
//! code is tested against, and the check whether an expression of another data model is C as well.

mod parse;

pub use parse::{parse_expression, parse_statements};

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    Number(i64),
    /// A variable, with what is behind it: `x`, `me->x`, `_event.data.y`.
    Name(String),
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    Either(Box<Expression>, Box<Expression>, Box<Expression>),
    Call(String, Vec<Expression>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `name = value;`, and what is short for it.
    Assign(String, Expression),
    Do(Expression),
    If(Expression, Vec<Step>, Vec<Step>),
}

/// Why something has no value here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown(pub String);

/// What names and calls mean.
pub trait Meaning {
    fn get(&self, name: &str) -> Option<i64>;
    fn set(&mut self, name: &str, value: i64);
    fn call(&mut self, name: &str, arguments: &[i64]) -> Option<i64>;
}

/// Variables, and calls written down in order.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    pub values: BTreeMap<String, i64>,
    pub calls: Vec<(String, Vec<i64>)>,
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

impl Expression {
    /// Calls a function with every variable that is used.
    pub fn names(&self, with: &mut dyn FnMut(&str)) {
        match self {
            Expression::Number(_) => {}
            Expression::Name(name) => with(name),
            Expression::Unary(_, inner) => inner.names(with),
            Expression::Binary(_, left, right) => {
                left.names(with);
                right.names(with);
            }
            Expression::Either(condition, one, other) => {
                condition.names(with);
                one.names(with);
                other.names(with);
            }
            Expression::Call(_, arguments) => {
                for argument in arguments {
                    argument.names(with);
                }
            }
        }
    }
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
        for text in ["x ===", "\"a\"", "x[1", "function(){}", "(", "1 2"] {
            assert_eq!(parse_expression(text), None, "{text}");
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

    #[test]
    fn depth_is_bounded() {
        let deep = "(".repeat(100_000) + "1" + &")".repeat(100_000);
        assert_eq!(parse_expression(&deep), None);
        assert_eq!(parse_statements(&"{".repeat(100_000)), None);
        assert_eq!(parse_expression(&"!".repeat(100_000)), None);
        assert_eq!(
            parse_expression(&("1".to_owned() + &"+1".repeat(100_000))),
            None
        );
    }
}
