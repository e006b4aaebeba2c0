//! What the programs compute: values, places and conditions.

use super::{TYPES, Writer};

impl Writer {
    pub(super) fn constant(&mut self) -> String {
        match self.random.below(8) {
            0 => self.random.below(256).to_string(),
            1 => format!("{}", self.random.between(-9, -1)),
            2 => format!("0x{:x}u", self.random.word() as u32),
            _ => self.random.below(8).to_string(),
        }
    }

    pub(super) fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.chance(25) {
            return match self.random.below(6) {
                0 | 1 => self.constant(),
                2 => self.place(),
                _ => self.any().name,
            };
        }
        let kind = *self.random.pick(&TYPES);
        let a = self.expression(depth - 1);
        match self.random.below(12) {
            0 => {
                let c = 1 + self.random.below(9);
                let operator = *self.random.pick(&["/", "%"]);
                format!("({kind})((i16)({a}) {operator} {c})")
            }
            1 if self.random.chance(40) => {
                let b = self.any().name;
                let operator = *self.random.pick(&["/", "%"]);
                format!("({kind})((u8)({a}) {operator} (u8)({b}))")
            }
            2 => {
                let c = self.random.below(31);
                let operator = *self.random.pick(&["<<", ">>"]);
                format!("({kind})((u32)({a}) {operator} {c})")
            }
            3 => {
                let b = self.any().name;
                format!("({kind})((u64)({a}) >> (({b}) & 15))")
            }
            4 if self.random.chance(40) => {
                let b = self.any().name;
                format!("({kind})((u8)({a}) * (u8)({b}))")
            }
            4 => format!("({kind}){}({a})", self.random.pick(&["~", "-", "!"])),
            5 if self.decisions > 0 => {
                self.decisions -= 1;
                let condition = self.condition(0);
                let b = self.expression(depth - 1);
                format!("({condition} ? (i64)({a}) : (i64)({b}))")
            }
            6 => {
                let b = self.expression(depth - 1);
                let operator = *self.random.pick(&["<", "==", "!=", ">="]);
                format!("((i64)({a}) {operator} (i64)({b}))")
            }
            _ => {
                let b = self.expression(depth - 1);
                let operator = *self.random.pick(&["+", "-", "&", "|", "^", "+"]);
                format!("({kind})((u64)({a}) {operator} (u64)({b}))")
            }
        }
    }

    /// Something in an array or a struct.
    pub(super) fn place(&mut self) -> String {
        if !self.structs.is_empty() && self.random.chance(50) {
            let one = self.random.pick(&self.structs).clone();
            return format!("{one}.{}", self.random.pick(&["a", "b", "c"]));
        }
        if let Some((name, length)) = self.arrays.last().cloned() {
            if self.random.chance(60) {
                return format!("{name}[{}]", self.random.below(length));
            }
            let index = self.any().name;
            return format!("{name}[({index}) & {}]", length - 1);
        }
        self.any().name
    }

    pub(super) fn comparison(&mut self) -> String {
        let operator = *self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.random.below(9) {
            0 | 1 => format!("{} {operator} {}", self.state().name, self.random.below(5)),
            2 => {
                let a = self.expression(1);
                format!("({a}) {operator} {}", self.constant())
            }
            3 => format!("{} & {}", self.read().name, 1 << self.random.below(5)),
            4 => format!("{} {operator} (i64){}", self.read().name, self.any().name),
            _ => format!("{} {operator} {}", self.read().name, self.constant()),
        }
    }

    pub(super) fn condition(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.chance(60) {
            return format!("({})", self.comparison());
        }
        let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
        match self.random.below(3) {
            0 => format!("({a} && {b})"),
            1 => format!("({a} || {b})"),
            _ => format!("(!{a} && {b})"),
        }
    }

    pub(super) fn stored(&mut self) -> String {
        if let Some(one) = self.structs.last().cloned()
            && self.random.chance(40)
        {
            return format!("*{one}.p");
        }
        if self.arrays.is_empty() && self.structs.is_empty() {
            return self.state().name;
        }
        self.place()
    }
}
