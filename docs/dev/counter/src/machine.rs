//! Counter machines: registers that are counted up and down, and jumps where one is zero.
//!
//! ```text
//! given a b               # registers that the case gives; the others are 0
//! loop: dec a done        # where a is 0, go to done; otherwise count it down
//!       inc b
//!       go loop
//! done: dec b empty
//!       halt
//! empty: fail nothing left
//! ```

use std::collections::BTreeMap;

/// Steps after which a run counts as one that does not end.
pub const STEPS: u32 = 100_000;

#[derive(Clone, Debug)]
pub enum Instruction {
    Inc(usize),
    /// A jump where the register is 0.
    Dec(usize, usize),
    Go(usize),
    Halt,
    Fail(String),
}

#[derive(Clone, Debug, Default)]
pub struct Machine {
    pub registers: Vec<String>,
    /// So many of them, the first, are given by the case.
    pub given: usize,
    /// Each with its line.
    pub code: Vec<(u32, Instruction)>,
}

/// How a run ended, at an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Halted,
    Failed(usize, String),
    /// Too many steps.
    Endless(usize),
}

/// A number as a run sees it: by its value alone, or with what it depends on.
pub trait Number: Clone {
    type Context;
    fn is_zero(&self, context: &mut Self::Context, at: usize) -> bool;
    fn plus(&self, context: &mut Self::Context, by: i8) -> Self;
}

/// The plain machine.
impl Number for u8 {
    type Context = ();

    fn is_zero(&self, (): &mut (), _: usize) -> bool {
        *self == 0
    }

    fn plus(&self, (): &mut (), by: i8) -> u8 {
        self.wrapping_add_signed(by)
    }
}

impl Machine {
    /// Runs it on registers.
    pub fn run<N: Number>(&self, registers: &mut [N], context: &mut N::Context) -> End {
        let mut at = 0;
        for _ in 0..STEPS {
            match self.code.get(at).map(|(_, instruction)| instruction) {
                Some(Instruction::Inc(register)) => {
                    registers[*register] = registers[*register].plus(context, 1);
                    at += 1;
                }
                Some(Instruction::Dec(register, target)) => {
                    if registers[*register].is_zero(context, at) {
                        at = *target;
                    } else {
                        registers[*register] = registers[*register].plus(context, -1);
                        at += 1;
                    }
                }
                Some(Instruction::Go(target)) => at = *target,
                Some(Instruction::Fail(text)) => return End::Failed(at, text.clone()),
                Some(Instruction::Halt) | None => return End::Halted,
            }
        }
        End::Endless(at)
    }

    /// Reads a machine, or says what is wrong with a line.
    pub fn parse(text: &str) -> Result<Machine, String> {
        let mut machine = Machine::default();
        let mut labels = BTreeMap::new();
        let mut lines = Vec::new();
        for (number, line) in (1u32..).zip(text.lines()) {
            let mut line = line.split('#').next().unwrap_or_default().trim();
            if let Some((label, rest)) = line.split_once(':') {
                labels.insert(label.trim().to_string(), lines.len());
                line = rest.trim();
            }
            if let Some(names) = line.strip_prefix("given ") {
                for name in names.split_whitespace() {
                    machine.register(name);
                }
                machine.given = machine.registers.len();
            } else if !line.is_empty() {
                lines.push((number, line));
            }
        }
        for (number, line) in lines {
            let wrong = || format!("line {number}: `{line}` is no instruction");
            let words: Vec<&str> = line.split_whitespace().collect();
            let target = |label: &str| {
                let found = labels.get(label).copied();
                found.ok_or_else(|| format!("line {number}: there is no label `{label}`"))
            };
            let instruction = match words[..] {
                ["inc", register] => Instruction::Inc(machine.register(register)),
                ["dec", register, label] => {
                    Instruction::Dec(machine.register(register), target(label)?)
                }
                ["go", label] => Instruction::Go(target(label)?),
                ["halt"] => Instruction::Halt,
                ["fail", ..] => Instruction::Fail(words[1..].join(" ")),
                _ => return Err(wrong()),
            };
            machine.code.push((number, instruction));
        }
        Ok(machine)
    }

    fn register(&mut self, name: &str) -> usize {
        let known = self.registers.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.registers.push(name.to_string());
            self.registers.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_read_and_run() {
        let text = "given a b\nloop: dec a done\ninc b\ngo loop\ndone: dec b empty\nhalt\nempty: fail no\n";
        let machine = Machine::parse(text).unwrap();
        let run = |a, b| {
            let mut registers = [a, b];
            (machine.run(&mut registers, &mut ()), registers)
        };
        assert_eq!(run(3, 4), (End::Halted, [0, 6]));
        assert_eq!(run(0, 0).0, End::Failed(5, "no".into()));
        assert_eq!(machine.code[5].0, 7);
    }

    #[test]
    fn mistakes_name_their_line() {
        for (text, message) in [
            ("halt\njump x", "line 2: `jump x` is no instruction"),
            ("go nowhere", "line 1: there is no label `nowhere`"),
        ] {
            assert_eq!(Machine::parse(text).unwrap_err(), message);
        }
    }
}
