//! Arithmetic on integers of any size, and on floats.

use crate::number::Number;
use crate::primitives::{Mode, Outcome, badarg, badarith};
use crate::run::Run;
use crate::value::Value;
use elsewise_explore::ApproximationKind;
use elsewise_term::{Op, TermId};

/// Integers wider than this are taken for what they are now.
const WIDEST: u32 = 1024;

impl Run<'_> {
    pub(crate) fn arithmetic(
        &mut self,
        site: u32,
        function: &str,
        a: &Value,
        b: &Value,
        mode: &mut Mode,
    ) -> Outcome {
        if !matches!(function, "+" | "-" | "*" | "/") {
            let (Some(x), Some(y)) = (self.integer(site, a, mode), self.integer(site, b, mode))
            else {
                return badarith();
            };
            return self.of_integers(site, function, x, y, mode);
        }
        let (Some(x), Some(y)) = (self.numeric(site, a, mode), self.numeric(site, b, mode)) else {
            return badarith();
        };
        match (x, y) {
            (Number::Int(x), Number::Int(y)) if function != "/" => {
                let (op, width) = {
                    let (wx, wy) = (self.terms.width(x), self.terms.width(y));
                    match function {
                        "+" => (Op::BvAdd, wx.max(wy) + 1),
                        "-" => (Op::BvSub, wx.max(wy) + 1),
                        _ => (Op::BvMul, wx + wy),
                    }
                };
                let (x, y) = (
                    self.terms.sign_extend(x, width),
                    self.terms.sign_extend(y, width),
                );
                let result = self.terms.bv(op, &[x, y]);
                Ok(self.limited(site, result))
            }
            (x, y) => {
                let op = match function {
                    "+" => Op::FAdd,
                    "-" => Op::FSub,
                    "*" => Op::FMul,
                    _ => Op::FDiv,
                };
                if op == Op::FDiv {
                    let is_zero = match y {
                        Number::Int(y) => {
                            let zero = self.terms.bits(self.terms.width(y), 0);
                            self.terms.eq(y, zero)
                        }
                        Number::Float(y) => {
                            let zero = self.terms.bits(64, 0);
                            self.terms.float(Op::FEq, &[y, zero], 0)
                        }
                    };
                    let fine = self.terms.not(is_zero);
                    if !self.need(site, fine, mode) {
                        return badarith();
                    }
                }
                // Most integers are far from what a float cannot hold, and to divide by one makes nothing larger.
                let small = matches!((x, y, op), (Number::Int(_), Number::Int(_), _))
                    || matches!((y, op), (Number::Int(_), Op::FDiv));
                let far = self.is_far(x) || self.is_far(y);
                let (x, y) = (self.as_float(x), self.as_float(y));
                if far {
                    let finite = [x, y].map(|one| self.finite(one));
                    let both = self.terms.and(finite[0], finite[1]);
                    if !self.need(site, both, mode) {
                        return badarith();
                    }
                }
                let result = self.terms.float(op, &[x, y], 64);
                let finite = self.finite(result);
                match small && !far || self.need(site, finite, mode) {
                    true => Ok(self.float_value(result)),
                    false => badarith(),
                }
            }
        }
    }

    /// An integer, unless it has become too wide.
    pub(crate) fn limited(&mut self, site: u32, term: TermId) -> Value {
        if self.terms.width(term) > WIDEST && !self.terms.is_const(term) {
            self.approximate(ApproximationKind::WideValue, site);
            return Value::integer(self.int_now(term));
        }
        self.int_value(term)
    }

    pub(crate) fn of_integers(
        &mut self,
        site: u32,
        function: &str,
        x: TermId,
        y: TermId,
        mode: &mut Mode,
    ) -> Outcome {
        match function {
            "div" | "rem" => {
                let narrow = self.terms.width(y);
                let (x, y) = self.widened(x, y, 1);
                let width = self.terms.width(y);
                let zero = self.terms.bits(width, 0);
                let is_zero = self.terms.eq(y, zero);
                let fine = self.terms.not(is_zero);
                if !self.need(site, fine, mode) {
                    return badarith();
                }
                let op = if function == "div" {
                    Op::BvSDiv
                } else {
                    Op::BvSRem
                };
                let mut result = self.terms.bv(op, &[x, y]);
                // What is left over is nearer to zero than the divisor.
                if function == "rem" && narrow < width {
                    result = self.terms.extract(result, 0, narrow);
                }
                Ok(self.int_value(result))
            }
            "bsl" | "bsr" => {
                // By how much is settled: the width of the result depends on it.
                let by = self.int_value(y);
                let by = match self.settle(site, &by) {
                    Value::Int(by) if by.unsigned_abs() <= u64::from(WIDEST) => by,
                    _ => {
                        self.approximate(ApproximationKind::OpaqueOperation, site);
                        return Ok(Value::unknown());
                    }
                };
                let by = if function == "bsl" { by } else { -by };
                let width = self.terms.width(x);
                let result = if by >= 0 {
                    let wide = self.terms.sign_extend(x, width + by as u32);
                    let amount = self.terms.bits(width + by as u32, by as u64);
                    self.terms.bv(Op::BvShl, &[wide, amount])
                } else {
                    let amount = (by.unsigned_abs()).min(u64::from(width) - 1);
                    let amount = self.terms.bits(width, amount);
                    self.terms.bv(Op::BvAShr, &[x, amount])
                };
                Ok(self.limited(site, result))
            }
            _ => {
                let (x, y) = self.widened(x, y, 0);
                let op = match function {
                    "band" => Op::BvAnd,
                    "bor" => Op::BvOr,
                    _ => Op::BvXor,
                };
                let result = self.terms.bv(op, &[x, y]);
                Ok(self.int_value(result))
            }
        }
    }

    pub(crate) fn rounded(
        &mut self,
        site: u32,
        function: &str,
        a: &Value,
        mode: &mut Mode,
    ) -> Outcome {
        match self.numeric(site, a, mode) {
            Some(Number::Int(a)) => Ok(self.int_value(a)),
            Some(Number::Float(a)) => {
                let now = f64::from_bits(self.bits_now(a).low_u64());
                let op = match function {
                    "trunc" => Op::FTrunc,
                    "round" => Op::FRound,
                    "floor" => Op::FFloor,
                    _ => Op::FCeil,
                };
                if now.abs() >= 9e18 {
                    self.approximate(ApproximationKind::WideValue, site);
                    let whole = match function {
                        "trunc" => now.trunc(),
                        "round" => now.round(),
                        "floor" => now.floor(),
                        _ => now.ceil(),
                    };
                    return Ok(Value::integer(crate::value::whole_part(whole)));
                }
                // Larger ones would need more than 64 bits: they are another case.
                let limit = self.terms.bits(64, 9e18f64.to_bits());
                let mask = self.terms.bits(64, u64::MAX >> 1);
                let size = self.terms.bv(Op::BvAnd, &[a, mask]);
                let small = self.terms.float(Op::FLt, &[size, limit], 0);
                self.branch(site, small);
                let whole = self.terms.float(op, &[a], 64);
                let result = self.terms.float(Op::FToSI, &[whole], 64);
                Ok(self.int_value(result))
            }
            None => badarg(),
        }
    }
}

#[cfg(test)]
mod tests;
