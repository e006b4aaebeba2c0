//! Functions of a program: those that others call, and `main`.

use super::{Function, Writer};
use crate::generator::expression::{Operand, Type, any_type, comparison};
use std::fmt::Write as _;

impl Writer {
    pub(super) fn function(&mut self) {
        let result = any_type(&mut self.random);
        let parameters: Vec<Type> = (0..1 + self.random.below(2))
            .map(|_| any_type(&mut self.random))
            .collect();
        let name = format!("g{}", self.functions.len());
        self.scope(named(&parameters));
        self.line(&format!(
            "static {} {name}({})",
            result.name(),
            declared(&parameters)
        ));
        let kept = self.fuel;
        self.fuel = 3;
        self.returns = Some(result);
        self.open("");
        let number = 1 + self.random.below(2);
        self.statements(number, 2);
        let value = self.pure(result, 2);
        self.line(&format!("return {value};"));
        self.close("");
        self.line("");
        self.returns = None;
        self.fuel = kept;
        self.functions.push(Function {
            name,
            parameters,
            result,
        });
    }

    /// A function that calls itself, a bounded number of times.
    pub(super) fn recursion(&mut self) {
        let kind = any_type(&mut self.random);
        self.scope(named(&[kind]));
        let name = kind.name();
        let (end, turn) = (self.choice(), self.choice());
        let condition = comparison(&mut self.random, &self.operands);
        let (early, next, last) = (self.pure(kind, 1), self.pure(kind, 2), self.pure(kind, 1));
        let mut text = String::new();
        let _ = write!(
            text,
            "static {name} rec0({name} p0, int depth)\n{{\n    \
             if (C({end}, depth <= 0))\n        return {early};\n    \
             if (C({turn}, {condition}))\n        return rec0({next}, depth - 1);\n    \
             return {last};\n}}\n"
        );
        self.text.push_str(&text);
        self.line("");
        self.functions.push(Function {
            name: "rec0".to_owned(),
            parameters: vec![kind],
            result: kind,
        });
    }

    /// A function that changes a structure through a pointer.
    pub(super) fn structure_function(&mut self) {
        let number = self.choice();
        self.line("static void mix(struct pair *p)");
        self.open("");
        self.line(&format!("if (C({number}, p->a > p->b))"));
        self.line("    p->c = p->c * 3u + p->a;");
        self.line("else");
        self.line("    p->d = (i64)((u64)p->d - p->c);");
        self.close("");
        self.line("");
    }

    pub(super) fn main_function(&mut self) {
        self.line("static void f(void)");
        self.scope(Vec::new());
        self.open("");
        // Without these a program might not look at its input.
        for byte in 0..self.bytes {
            let kind = any_type(&mut self.random);
            let text = match (byte, self.random.below(3)) {
                (2, _) => "(b[2] & 7)".to_owned(),
                (_, 0) => format!("(i8)b[{byte}]"),
                (_, 1) if kind.bits > 8 => format!("(b[{byte}] << {})", self.random.below(8)),
                _ => format!("b[{byte}]"),
            };
            self.declare(kind, &format!("({}){text}", kind.name()));
        }
        // Named twice, so that what depends on the input is picked more often than what does not.
        for text in ["b[0]", "b[1]", "b[0]", "b[1]"] {
            self.operands.push(Operand {
                text: text.to_owned(),
                kind: Type::ALL[0],
            });
        }
        self.line("(void)mix;");
        let names: Vec<String> = self.functions.iter().map(|f| f.name.clone()).collect();
        for name in names {
            self.line(&format!("(void){name};"));
        }
        let number = 6 + self.random.below(5);
        for _ in 0..number {
            self.statement(3);
        }
        // Whatever was computed decides at last: so it cannot be left out by a compiler, nor its
        // labels be lost unnoticed.
        let operands = self.operands.len();
        let recent = self.operands[operands.saturating_sub(6)..].to_vec();
        let sum: Vec<String> = recent
            .iter()
            .map(|operand| format!("(u32)({})", operand.text))
            .collect();
        self.line(&format!("u32 sum = {};", sum.join(" + ")));
        let (number, value) = (self.choice(), self.random.word() as u16);
        self.line(&format!("if (C({number}, (u8)sum == {}))", value as u8));
        match self.random.chance(50) {
            true => self.line("    FAIL();"),
            false => self.line("    END(7);"),
        }
        let outcome = self.random.below(7);
        self.line(&format!("END({outcome});"));
        self.close("");
    }
}

pub(super) fn named(parameters: &[Type]) -> Vec<Operand> {
    parameters
        .iter()
        .enumerate()
        .map(|(i, kind)| Operand {
            text: format!("p{i}"),
            kind: *kind,
        })
        .collect()
}

pub(super) fn declared(parameters: &[Type]) -> String {
    let all: Vec<String> = parameters
        .iter()
        .enumerate()
        .map(|(i, kind)| format!("{} p{i}", kind.name()))
        .collect();
    all.join(", ")
}
