//! Arithmetic of any width out of gates; bits lowest first.

use super::gates::{FALSE, Gates, Lit, TRUE};
use elsewise_term::float::Format;
use elsewise_term::lookup::{Selector, select};
use elsewise_term::{Op, Table};

fn negated(bits: &[Lit]) -> Vec<Lit> {
    bits.iter().map(|bit| -bit).collect()
}

impl Gates {
    /// `a + b + carry`, and the carry out.
    fn add_carry(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Vec<Lit>, Lit) {
        let mut sum = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            sum.push(self.parity(*a, *b, carry));
            carry = self.majority(*a, *b, carry);
        }
        (sum, carry)
    }

    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        self.add_carry(a, b, FALSE).0
    }

    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        self.add_carry(a, &negated(b), TRUE).0
    }

    pub fn neg(&mut self, a: &[Lit]) -> Vec<Lit> {
        self.sub(&vec![FALSE; a.len()], a)
    }

    pub fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        // A row of the sum per bit of `b`: constants there make rows vanish.
        let constants = |bits: &[Lit]| bits.iter().filter(|bit| bit.abs() == TRUE).count();
        let (a, b) = match constants(a) > constants(b) {
            true => (b, a),
            false => (a, b),
        };
        let width = a.len();
        let mut sum = vec![FALSE; width];
        for (shift, bit) in b.iter().enumerate() {
            if *bit == FALSE {
                continue;
            }
            let row: Vec<Lit> = (shift..width)
                .map(|at| self.and(a[at - shift], *bit))
                .collect();
            let upper = self.add(&sum[shift..], &row);
            sum.truncate(shift);
            sum.extend(upper);
        }
        sum
    }

    /// Whether a float is a NaN.
    fn is_nan(&mut self, a: &[Lit]) -> Lit {
        let format = Format::of(a.len() as u32);
        let (fraction, rest) = a.split_at(format.fraction as usize);
        let whole = self.all(rest[..format.exponent as usize].to_vec());
        let clear = self.all(negated(fraction));
        self.and(whole, -clear)
    }

    /// `a == b`, `a < b` or `a <= b` of floats.
    pub fn compare_floats(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Lit {
        let top = a.len() - 1;
        let (sign_a, sign_b) = (a[top], b[top]);
        let nan_a = self.is_nan(a);
        let nan_b = self.is_nan(b);
        let numbers = self.and(-nan_a, -nan_b);
        let clear = negated(&a[..top]).into_iter().chain(negated(&b[..top]));
        let zeros = self.all(clear.collect());
        let related = match op {
            Op::FEq => {
                let same = self.equal(a, b);
                self.or(zeros, same)
            }
            _ => {
                // Of two negative ones the greater magnitude is the lesser.
                let (up, down) = (
                    self.at_most(&a[..top], &b[..top]),
                    self.at_most(&b[..top], &a[..top]),
                );
                let (positive, negative) = match op {
                    Op::FLe => (up, down),
                    _ => (-down, -up),
                };
                let if_negative = self.or(-sign_b, negative);
                let if_positive = self.and(-sign_b, positive);
                let ordered = self.mux(sign_a, if_negative, if_positive);
                match op {
                    Op::FLe => self.or(zeros, ordered),
                    _ => self.and(-zeros, ordered),
                }
            }
        };
        self.and(numbers, related)
    }

    /// The entry of an index as choices over its bits.
    pub fn look_up(&mut self, table: &Table, index: &[Lit]) -> Vec<Lit> {
        let bits = |entry: &u64| -> Vec<Lit> {
            (0..table.width())
                .map(|bit| Gates::constant(entry >> bit & 1 == 1))
                .collect()
        };
        let entries = table.entries().iter().map(bits).collect();
        select(entries, index.len() as u32, |selector, yes, no| {
            let holds = match selector {
                Selector::Bit(bit) => index[bit as usize],
                Selector::Above(bit) => {
                    let clear = index[bit as usize..].iter().map(|lit| -lit).collect();
                    -self.all(clear)
                }
            };
            self.choose(holds, yes, no)
        })
    }

    /// `a <= b` as the borrow that `b - a` does not need.
    pub fn at_most(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut carry = TRUE;
        for (a, b) in a.iter().zip(b) {
            carry = self.majority(-*a, *b, carry);
        }
        carry
    }

    /// Signed `a <= b`: unsigned with the signs turned round.
    pub fn at_most_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flip = |bits: &[Lit]| {
            let mut bits = bits.to_vec();
            if let Some(sign) = bits.last_mut() {
                *sign = -*sign;
            }
            bits
        };
        self.at_most(&flip(a), &flip(b))
    }

    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Vec<Lit> = a.iter().zip(b).map(|(a, b)| -self.xor(*a, *b)).collect();
        self.all(same)
    }

    pub fn choose(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        a.iter().zip(b).map(|(a, b)| self.mux(c, *a, *b)).collect()
    }

    /// Quotient and remainder, unsigned, by restoring division. By zero it gives, as SMT-LIB
    /// asks, all ones and the dividend: every trial subtraction of zero succeeds.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = a.len();
        let mut rest = vec![FALSE; width];
        let mut quotient = vec![FALSE; width];
        let minus = negated(b);
        for at in (0..width).rev() {
            let over = rest[width - 1];
            rest.rotate_right(1);
            rest[0] = a[at];
            let (difference, fits) = self.add_carry(&rest, &minus, TRUE);
            let fits = self.or(over, fits);
            quotient[at] = fits;
            rest = self.choose(fits, &difference, &rest);
        }
        (quotient, rest)
    }

    fn magnitude(&mut self, a: &[Lit]) -> Vec<Lit> {
        let minus = self.neg(a);
        self.choose(a[a.len() - 1], &minus, a)
    }

    /// Signed quotient and remainder.
    pub fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let (x, y) = (self.magnitude(a), self.magnitude(b));
        let (quotient, rest) = self.divide(&x, &y);
        let differ = self.xor(sign_a, sign_b);
        let minus = self.neg(&quotient);
        let quotient = self.choose(differ, &minus, &quotient);
        let minus = self.neg(&rest);
        let rest = self.choose(sign_a, &minus, &rest);
        (quotient, rest)
    }

    /// Shift towards the lowest bit, `fill` coming in at the top.
    pub fn shift_down(&mut self, a: &[Lit], by: &[Lit], fill: Lit) -> Vec<Lit> {
        let width = a.len();
        let mut bits = a.to_vec();
        let mut beyond = Vec::new();
        for (power, by) in by.iter().enumerate() {
            // Distances of the width and more leave nothing but the fill.
            let Some(distance) = 1usize.checked_shl(power as u32).filter(|by| *by < width) else {
                beyond.push(-*by);
                continue;
            };
            let moved: Vec<Lit> = (0..width)
                .map(|at| bits.get(at + distance).copied().unwrap_or(fill))
                .collect();
            bits = self.choose(*by, &moved, &bits);
        }
        let within = self.all(beyond);
        self.choose(within, &bits, &vec![fill; width])
    }

    /// Shift towards the highest bit, zeros coming in.
    pub fn shift_up(&mut self, a: &[Lit], by: &[Lit]) -> Vec<Lit> {
        let mut bits: Vec<Lit> = a.iter().rev().copied().collect();
        bits = self.shift_down(&bits, by, FALSE);
        bits.reverse();
        bits
    }
}
