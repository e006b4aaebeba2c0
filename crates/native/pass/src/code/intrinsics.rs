//! LLVM's own functions, as plain operations.

use super::function::Teller;
use super::{Why, number, zero};
use crate::ir::Value;
use elsewise_wire::code::Operator::*;
use elsewise_wire::code::{End, Operand, Operator, Step};

impl Teller<'_> {
    /// Tells the call of an intrinsic, of which `name` is the rest of the name.
    pub fn intrinsic(&mut self, i: Value, name: &str) -> Result<Option<End>, Why> {
        let is = |word: &str| {
            name.strip_prefix(word)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let any = |words: &[&str]| words.iter().any(|word| is(word));
        if any(&["trap", "ubsantrap"]) {
            return Ok(Some(End::Fail));
        }
        if any(&[
            "lifetime",
            "dbg",
            "assume",
            "invariant.end",
            "stackrestore",
            "var.annotation",
            "prefetch",
            "donothing",
            "va_end",
            "experimental.noalias.scope.decl",
            "sideeffect",
        ]) {
            return Ok(None);
        }
        if any(&["memcpy", "memmove", "memset"]) && !name.contains("element") {
            self.memory(i, is("memset"))?;
            return Ok(None);
        }
        let leaves = if any(&[
            "expect",
            "launder.invariant.group",
            "strip.invariant.group",
            "ssa.copy",
            "threadlocal.address",
            "annotation",
            "ptr.annotation",
        ]) {
            self.of(i.operand(0))?
        } else if any(&["stacksave", "invariant.start"]) {
            vec![zero(64)]
        } else if let Some((word, rest)) = name.split_once('.') {
            match rest.strip_prefix("with.overflow") {
                Some(_) => self.overflow(i, word)?,
                None => vec![self.formula(i, word)?],
            }
        } else {
            return Err("intrinsics");
        };
        self.leaves.insert(i, leaves);
        Ok(None)
    }

    fn memory(&mut self, i: Value, fill: bool) -> Result<(), Why> {
        let to = self.one(i.operand(0))?;
        let second = self.one(i.operand(1))?;
        let size = self.one(i.operand(2))?;
        let size = self.resize(size, 64, false);
        self.steps.push(match fill {
            true => Step::Fill {
                to,
                value: second,
                size,
            },
            false => Step::Move {
                to,
                from: second,
                size,
            },
        });
        Ok(())
    }

    fn formula(&mut self, i: Value, word: &str) -> Result<Operand, Why> {
        let mut operands = Vec::new();
        let wanted = match word {
            "fshl" | "fshr" => 3,
            "bswap" | "bitreverse" | "ctpop" | "ctlz" | "cttz" | "abs" => 1,
            "smin" | "smax" | "umin" | "umax" | "ucmp" | "scmp" | "ptrmask" => 2,
            "uadd" | "usub" if self.is_saturating(i) => 2,
            "is" | "objectsize" => return Err("what the optimiser decides"),
            "va_start" | "va_copy" => return Err("variable arguments"),
            _ => return Err("intrinsics"),
        };
        for index in 0..wanted {
            operands.push(self.one(i.operand(index))?);
        }
        let a = operands[0].clone();
        let width = self.width_of(&a);
        let b = operands.get(1).cloned().unwrap_or(zero(width));
        Ok(match word {
            "abs" => {
                let below = self.assign(1, Slt, &[a.clone(), zero(width)]);
                let negated = self.assign(width, Sub, &[zero(width), a.clone()]);
                self.choose(below, negated, a)
            }
            "smin" => self.least(Slt, a, b),
            "umin" => self.least(Ult, a, b),
            "smax" => self.greatest(Slt, a, b),
            "umax" => self.greatest(Ult, a, b),
            "ptrmask" => self.assign(width, And, &[a, b]),
            "ucmp" | "scmp" => {
                let less = if word == "ucmp" { Ult } else { Slt };
                let result = self.ir.width(i.ty())?;
                let below = self.assign(1, less, &[a.clone(), b.clone()]);
                let above = self.assign(1, less, &[b, a]);
                let other = self.choose(above, number(result, 1), zero(result));
                self.choose(below, number(result, u64::MAX), other)
            }
            "uadd" => {
                let sum = self.assign(width, Add, &[a.clone(), b]);
                let over = self.assign(1, Ult, &[sum.clone(), a]);
                let most = self.assign(width, Sub, &[zero(width), number(width, 1)]);
                self.choose(over, most, sum)
            }
            "usub" => {
                let difference = self.assign(width, Sub, &[a.clone(), b.clone()]);
                let below = self.assign(1, Ult, &[a, b]);
                self.choose(below, zero(width), difference)
            }
            "fshl" | "fshr" => self.funnel(operands, word == "fshl"),
            "bswap" => self.turn_around(a, 8),
            "bitreverse" => self.turn_around(a, 1),
            _ => return self.count(word, a),
        })
    }

    fn is_saturating(&self, i: Value) -> bool {
        crate::functions::direct_callee(i).is_some_and(|(_, name)| name.contains(".sat."))
    }

    fn least(&mut self, less: Operator, a: Operand, b: Operand) -> Operand {
        let first = self.assign(1, less, &[a.clone(), b.clone()]);
        self.choose(first, a, b)
    }

    fn greatest(&mut self, less: Operator, a: Operand, b: Operand) -> Operand {
        let first = self.assign(1, less, &[b.clone(), a.clone()]);
        self.choose(first, a, b)
    }

    /// The upper half of two numbers in a row that are shifted up, or the lower of those shifted down.
    fn funnel(&mut self, operands: Vec<Operand>, up: bool) -> Operand {
        let width = self.width_of(&operands[0]);
        let by = self.assign(
            width,
            URem,
            &[operands[2].clone(), number(width, width.into())],
        );
        let by = self.resize(by, 2 * width, false);
        let both = self.assign(2 * width, Concat, &operands[..2]);
        let shifted = self.assign(2 * width, if up { Shl } else { LShr }, &[both, by]);
        let low = if up { width } else { 0 };
        self.assign(width, Extract { low }, &[shifted])
    }

    /// Pieces of so many bits in the opposite order.
    fn turn_around(&mut self, value: Operand, piece: u32) -> Operand {
        let width = self.width_of(&value);
        let mut turned = self.assign(piece, Extract { low: 0 }, std::slice::from_ref(&value));
        for low in (piece..width).step_by(piece as usize) {
            let next = self.assign(piece, Extract { low }, std::slice::from_ref(&value));
            turned = self.assign(low + piece, Concat, &[turned, next]);
        }
        turned
    }

    fn count(&mut self, word: &str, value: Operand) -> Result<Operand, Why> {
        let width = self.width_of(&value);
        if !width.is_power_of_two() || !(8..=64).contains(&width) {
            return Err("intrinsics");
        }
        let ones = number(width, u64::MAX);
        let counted = match word {
            "ctpop" => value,
            // The zeroes below the lowest one are what subtracting 1 turns into ones.
            "cttz" => {
                let less = self.assign(width, Sub, &[value.clone(), number(width, 1)]);
                let not = self.assign(width, Xor, &[value, ones]);
                self.assign(width, And, &[less, not])
            }
            "ctlz" => {
                let mut smeared = value;
                let mut by = 1;
                while by < width {
                    let shifted = [smeared.clone(), number(width, by.into())];
                    let shifted = self.assign(width, LShr, &shifted);
                    smeared = self.assign(width, Or, &[smeared, shifted]);
                    by *= 2;
                }
                self.assign(width, Xor, &[smeared, ones])
            }
            _ => return Err("intrinsics"),
        };
        Ok(self.ones(counted, width))
    }

    /// How many bits are set: sums of neighbours, of twice as many bits each time.
    fn ones(&mut self, value: Operand, width: u32) -> Operand {
        let mut sums = value;
        let mut piece = 1;
        while piece < width {
            // Every other piece of the number.
            let mask = u64::MAX / ((1 << piece) + 1);
            let mask = number(width, mask);
            let low = self.assign(width, And, &[sums.clone(), mask.clone()]);
            let high = self.assign(width, LShr, &[sums, number(width, piece.into())]);
            let high = self.assign(width, And, &[high, mask]);
            sums = self.assign(width, Add, &[low, high]);
            piece *= 2;
        }
        sums
    }

    /// The result, and whether it is another than the true one.
    fn overflow(&mut self, i: Value, word: &str) -> Result<Vec<Operand>, Why> {
        let [a, b] = [self.one(i.operand(0))?, self.one(i.operand(1))?];
        let width = self.width_of(&a);
        let (operator, wide) = match word {
            "sadd" | "uadd" => (Add, width + 1),
            "ssub" | "usub" => (Sub, width + 1),
            "smul" | "umul" => (Mul, 2 * width),
            _ => return Err("intrinsics"),
        };
        let signed = word.starts_with('s');
        let result = self.assign(width, operator, &[a.clone(), b.clone()]);
        let [a, b] = [a, b].map(|value| self.resize(value, wide, signed));
        let exact = self.assign(wide, operator, &[a, b]);
        let again = self.resize(result.clone(), wide, signed);
        let differs = self.assign(1, Ne, &[exact, again]);
        Ok(vec![result, differs])
    }
}
