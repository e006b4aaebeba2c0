//! A small part of C: expressions of integers, assignments, `if` and calls.
//!
//! Models are run as C programs; this tells whether an expression of another data model is C as well.

mod parse;

pub use parse::{parse_expression, parse_statements};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_of_this_part_of_c_is_not_read() {
        for text in ["x ===", "\"a\"", "x[1", "function(){}", "(", "1 2"] {
            assert_eq!(parse_expression(text), None, "{text}");
        }
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
