//! From text to expressions and steps. What is not of that part of C is None.

use super::{Expression, Step};

/// Nothing that a model says is nested deeper; and nothing longer is looked at.
const DEEPEST: usize = 100;
const LONGEST: usize = 4096;

/// Operators with two sides, from those that bind least.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// All marks, longer ones first, so that the first that fits is meant.
const MARKS: &[&str] = &[
    "<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "<", ">", "=",
    "?", ":", "(", ")", "{", "}", ",", ";",
];

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(i64),
    Name(String),
    Mark(&'static str),
}

/// An expression, if the whole text is one.
pub fn parse_expression(text: &str) -> Option<Expression> {
    let mut parser = Parser::new(text)?;
    let expression = parser.expression(0)?;
    parser.at_end().then_some(expression)
}

/// Statements, if the whole text is some.
pub fn parse_statements(text: &str) -> Option<Vec<Step>> {
    let mut parser = Parser::new(text)?;
    let mut steps = Vec::new();
    while !parser.at_end() {
        steps.extend(parser.statement(0)?);
    }
    Some(steps)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

impl Parser {
    fn new(text: &str) -> Option<Self> {
        let tokens = tokens(text)?;
        (tokens.len() <= LONGEST).then_some(Self { tokens, at: 0 })
    }

    fn at_end(&self) -> bool {
        self.at == self.tokens.len()
    }

    fn mark(&self) -> Option<&'static str> {
        match self.tokens.get(self.at) {
            Some(Token::Mark(mark)) => Some(mark),
            _ => None,
        }
    }

    fn accept(&mut self, mark: &str) -> bool {
        let here = self.mark() == Some(mark);
        self.at += usize::from(here);
        here
    }

    fn expect(&mut self, mark: &str) -> Option<()> {
        self.accept(mark).then_some(())
    }

    fn name(&mut self) -> Option<String> {
        match self.tokens.get(self.at) {
            Some(Token::Name(name)) => {
                self.at += 1;
                Some(name.clone())
            }
            _ => None,
        }
    }

    fn statement(&mut self, depth: usize) -> Option<Vec<Step>> {
        if depth > DEEPEST {
            return None;
        }
        if self.accept(";") {
            return Some(Vec::new());
        }
        if self.accept("{") {
            let mut steps = Vec::new();
            while !self.accept("}") {
                steps.extend(self.statement(depth + 1)?);
            }
            return Some(steps);
        }
        if self.tokens.get(self.at) == Some(&Token::Name("if".to_owned())) {
            self.at += 1;
            self.expect("(")?;
            let condition = self.expression(depth)?;
            self.expect(")")?;
            let one = self.statement(depth + 1)?;
            let mut other = Vec::new();
            if self.tokens.get(self.at) == Some(&Token::Name("else".to_owned())) {
                self.at += 1;
                other = self.statement(depth + 1)?;
            }
            return Some(vec![Step::If(condition, one, other)]);
        }
        let step = self.assignment(depth)?;
        self.expect(";")?;
        Some(vec![step])
    }

    fn assignment(&mut self, depth: usize) -> Option<Step> {
        let begun = self.at;
        for operator in ["++", "--"] {
            if self.accept(operator) {
                let name = self.name()?;
                return Some(changed(name, &operator[..1], Expression::Number(1)));
            }
        }
        if let Some(name) = self.name() {
            match self.mark() {
                Some("=") => {
                    self.at += 1;
                    return Some(Step::Assign(name, self.expression(depth)?));
                }
                Some(operator @ ("++" | "--")) => {
                    self.at += 1;
                    return Some(changed(name, &operator[..1], Expression::Number(1)));
                }
                Some(operator)
                    if operator.len() > 1
                        && operator.ends_with('=')
                        && !matches!(operator, "==" | "!=" | "<=" | ">=") =>
                {
                    self.at += 1;
                    let value = self.expression(depth)?;
                    return Some(changed(name, operator.trim_end_matches('='), value));
                }
                _ => {}
            }
        }
        self.at = begun;
        Some(Step::Do(self.expression(depth)?))
    }

    fn expression(&mut self, depth: usize) -> Option<Expression> {
        if depth > DEEPEST {
            return None;
        }
        let condition = self.binary(0, depth)?;
        if !self.accept("?") {
            return Some(condition);
        }
        let one = self.expression(depth + 1)?;
        self.expect(":")?;
        let other = self.expression(depth + 1)?;
        Some(Expression::Either(
            Box::new(condition),
            Box::new(one),
            Box::new(other),
        ))
    }

    fn binary(&mut self, level: usize, depth: usize) -> Option<Expression> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary(depth);
        };
        let mut left = self.binary(level + 1, depth)?;
        // A chain is as deep as it is long.
        for _ in 0..DEEPEST {
            let Some(operator) = self.mark().filter(|mark| operators.contains(mark)) else {
                return Some(left);
            };
            self.at += 1;
            let right = self.binary(level + 1, depth)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        None
    }

    fn unary(&mut self, depth: usize) -> Option<Expression> {
        if depth > DEEPEST {
            return None;
        }
        if let Some(operator) = self
            .mark()
            .filter(|mark| ["!", "-", "~", "+"].contains(mark))
        {
            self.at += 1;
            return Some(Expression::Unary(
                operator,
                Box::new(self.unary(depth + 1)?),
            ));
        }
        if self.accept("(") {
            let inner = self.expression(depth + 1)?;
            self.expect(")")?;
            return Some(inner);
        }
        if let Some(Token::Number(number)) = self.tokens.get(self.at) {
            self.at += 1;
            return Some(Expression::Number(*number));
        }
        let name = self.name()?;
        match name.as_str() {
            "true" => return Some(Expression::Number(1)),
            "false" => return Some(Expression::Number(0)),
            // Words of C and of ECMAScript that are no names of values.
            "function" | "new" | "typeof" | "var" | "return" | "null" | "undefined" | "if"
            | "else" | "while" | "for" | "do" | "switch" => return None,
            _ => {}
        }
        if !self.accept("(") {
            return Some(Expression::Name(name));
        }
        let mut arguments = Vec::new();
        while !self.accept(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            arguments.push(self.expression(depth + 1)?);
        }
        Some(Expression::Call(name, arguments))
    }
}

/// `name op= value` as what it is short for.
fn changed(name: String, operator: &str, value: Expression) -> Step {
    let all = LEVELS.iter().flat_map(|level| level.iter());
    let operator = all.copied().find(|it| *it == operator).unwrap_or("+");
    let old = Box::new(Expression::Name(name.clone()));
    Step::Assign(name, Expression::Binary(operator, old, Box::new(value)))
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if tokens.len() > LONGEST {
            return None;
        }
        let taken = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/")? + 2
        } else if rest.starts_with(|first: char| first.is_ascii_digit()) {
            let length = length(rest, |it| it.is_ascii_alphanumeric() || it == '.');
            tokens.push(Token::Number(number(&rest[..length])?));
            length
        } else if let Some(behind) = rest.strip_prefix('\'') {
            let mut characters = behind.chars();
            let character = characters
                .next()
                .filter(|it| it.is_ascii() && *it != '\\')?;
            if characters.next() != Some('\'') {
                return None;
            }
            tokens.push(Token::Number(i64::from(u32::from(character))));
            3
        } else if let Some(cast) = rest.strip_prefix("Q_EVT_CAST(") {
            // QM's way to a parameter, under the name that SCXML has for it.
            let (_, member) = cast.split_once(")->")?;
            let (member, length) = name(member);
            tokens.push(Token::Name(format!("_event.data.{member}")));
            rest.len() - cast.len() + cast.find(")->")? + 3 + length
        } else if rest.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            let (name, length) = name(rest);
            tokens.push(Token::Name(name));
            length
        } else {
            let mark = MARKS.iter().find(|mark| rest.starts_with(**mark))?;
            tokens.push(Token::Mark(mark));
            mark.len()
        };
        rest = rest[taken..].trim_start();
    }
    Some(tokens)
}

fn length(text: &str, part: impl Fn(char) -> bool) -> usize {
    text.find(|it: char| !part(it)).unwrap_or(text.len())
}

/// A name with the members behind it.
fn name(text: &str) -> (String, usize) {
    let word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let mut end = length(text, word);
    loop {
        let rest = &text[end..];
        let joint = ["->", ".", "::"]
            .into_iter()
            .find(|joint| rest.starts_with(joint));
        let Some(joint) = joint else {
            break;
        };
        let more = length(&rest[joint.len()..], word);
        if more == 0 {
            break;
        }
        end += joint.len() + more;
    }
    (text[..end].to_owned(), end)
}

fn number(text: &str) -> Option<i64> {
    let text = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
