//! Operators on floats in Z3's theory of them, which knows one NaN only: which NaN a result is,
//! where its bits matter, is said beside it.

use super::api::Handle;
use super::translate::Context;
use elsewise_term::float::Format;
use elsewise_term::{Bits, Op, TermId, Terms};
use rustc_hash::FxHashMap;

impl Context<'_> {
    /// The bits (or truth value) of an operator on floats. `floats` keeps results as Z3's floats,
    /// so that an operator on another's result does not go by way of bits.
    ///
    /// # Safety
    /// The context is live, the term's operands are in `made`.
    pub(super) unsafe fn float(
        &self,
        terms: &Terms,
        term: TermId,
        made: &FxHashMap<TermId, Handle>,
        floats: &mut FxHashMap<TermId, Handle>,
    ) -> Handle {
        let (api, c) = (self.api, self.handle);
        let operands = terms.operands(term);
        let op = terms.op(term).expect("an operator on floats");
        let bits: Vec<Handle> = operands.iter().map(|operand| made[operand]).collect();
        // SAFETY: operands are terms of this context, of the sorts that each operator takes; so is what is made of them.
        unsafe {
            let sort = |width: u32| {
                let format = Format::of(width);
                (api.Z3_mk_fpa_sort)(c, format.exponent, format.fraction + 1)
            };
            let nearest = (api.Z3_mk_fpa_rne)(c);
            if let Op::SIToF | Op::UIToF = op {
                let to = match op {
                    Op::SIToF => api.Z3_mk_fpa_to_fp_signed,
                    _ => api.Z3_mk_fpa_to_fp_unsigned,
                };
                let result = to(c, nearest, bits[0], sort(terms.width(term)));
                floats.insert(term, result);
                return (api.Z3_mk_fpa_to_ieee_bv)(c, result);
            }
            let inner = terms.width(operands[0]);
            let values: Vec<Handle> = operands
                .iter()
                .zip(&bits)
                .map(|(operand, bits)| match floats.get(operand) {
                    Some(float) => *float,
                    None => (api.Z3_mk_fpa_to_fp_bv)(c, *bits, sort(inner)),
                })
                .collect();
            let a = values[0];
            let rounded = |mode| (api.Z3_mk_fpa_round_to_integral)(c, mode, a);
            let result = match op {
                Op::FEq => return (api.Z3_mk_fpa_eq)(c, a, values[1]),
                Op::FLt => return (api.Z3_mk_fpa_lt)(c, a, values[1]),
                Op::FLe => return (api.Z3_mk_fpa_leq)(c, a, values[1]),
                Op::FToSI => return self.to_integer(a, inner, terms.width(term)),
                Op::FAdd => (api.Z3_mk_fpa_add)(c, nearest, a, values[1]),
                Op::FSub => (api.Z3_mk_fpa_sub)(c, nearest, a, values[1]),
                Op::FMul => (api.Z3_mk_fpa_mul)(c, nearest, a, values[1]),
                Op::FDiv => (api.Z3_mk_fpa_div)(c, nearest, a, values[1]),
                Op::FSqrt => (api.Z3_mk_fpa_sqrt)(c, nearest, a),
                Op::FFloor => rounded((api.Z3_mk_fpa_rtn)(c)),
                Op::FCeil => rounded((api.Z3_mk_fpa_rtp)(c)),
                Op::FTrunc => rounded((api.Z3_mk_fpa_rtz)(c)),
                Op::FRint => rounded(nearest),
                Op::FRound => rounded((api.Z3_mk_fpa_rna)(c)),
                _ => (api.Z3_mk_fpa_to_fp_float)(c, nearest, a, sort(terms.width(term))),
            };
            floats.insert(term, result);
            self.with_nan(result, &values, &bits, inner, terms.width(term))
        }
    }

    /// Towards zero; what does not fit is the least integer.
    ///
    /// # Safety
    /// The context is live, and `a` is a float of it in the format of `from` bits.
    unsafe fn to_integer(&self, a: Handle, from: u32, to: u32) -> Handle {
        let (api, c) = (self.api, self.handle);
        let format = Format::of(from);
        // SAFETY: a float of this context, and what is made of it.
        unsafe {
            let sort = (api.Z3_mk_fpa_sort)(c, format.exponent, format.fraction + 1);
            let number = |value: f64| {
                let bits = self.constant(&Bits::new(from, format.bits(value)));
                (api.Z3_mk_fpa_to_fp_bv)(c, bits, sort)
            };
            let bound = (1u64 << (to - 1)) as f64;
            let fits = [
                (api.Z3_mk_fpa_leq)(c, number(-bound), a),
                (api.Z3_mk_fpa_lt)(c, a, number(bound)),
            ];
            let fits = (api.Z3_mk_and)(c, 2, fits.as_ptr());
            let integer = (api.Z3_mk_fpa_to_sbv)(c, (api.Z3_mk_fpa_rtz)(c), a, to);
            let least = self.constant(&Bits::new(to, 1 << (to - 1)));
            (api.Z3_mk_ite)(c, fits, integer, least)
        }
    }

    /// The bits of a result: those of the number, or of the NaN that the operands make.
    ///
    /// # Safety
    /// The context is live, and all are terms of it: floats, and the bits of each.
    unsafe fn with_nan(
        &self,
        result: Handle,
        values: &[Handle],
        bits: &[Handle],
        inner: u32,
        width: u32,
    ) -> Handle {
        let (api, c) = (self.api, self.handle);
        let (from, to) = (Format::of(inner), Format::of(width));
        // SAFETY: terms of this context: floats, and their bits.
        unsafe {
            let default = self.constant(&Bits::new(width, to.default_nan()));
            let mut whole = (api.Z3_mk_ite)(
                c,
                (api.Z3_mk_fpa_is_nan)(c, result),
                default,
                (api.Z3_mk_fpa_to_ieee_bv)(c, result),
            );
            for (value, bits) in values.iter().zip(bits).rev() {
                let nan = match from == to {
                    true => *bits,
                    false => self.resized_nan(*bits, from, to),
                };
                let quiet = self.constant(&Bits::new(width, to.quiet()));
                let nan = (api.Z3_mk_bvor)(c, nan, quiet);
                let is_nan = (api.Z3_mk_fpa_is_nan)(c, *value);
                whole = (api.Z3_mk_ite)(c, is_nan, nan, whole);
            }
            whole
        }
    }

    /// A NaN in another format: its sign and the upper bits of its payload.
    ///
    /// # Safety
    /// The context is live, and `bits` is a term of it, in the first format.
    unsafe fn resized_nan(&self, bits: Handle, from: Format, to: Format) -> Handle {
        let (api, c) = (self.api, self.handle);
        // SAFETY: a term of this context, of as many bits as the format has; so is what is made of it.
        unsafe {
            let top = from.width - 1;
            let sign = (api.Z3_mk_extract)(c, top, top, bits);
            let exponent = self.constant(&Bits::ones(to.exponent));
            let fraction = match to.fraction.checked_sub(from.fraction) {
                Some(more) => {
                    let fraction = (api.Z3_mk_extract)(c, from.fraction - 1, 0, bits);
                    (api.Z3_mk_concat)(c, fraction, self.constant(&Bits::zero(more)))
                }
                None => {
                    let low = from.fraction - to.fraction;
                    (api.Z3_mk_extract)(c, from.fraction - 1, low, bits)
                }
            };
            (api.Z3_mk_concat)(c, sign, (api.Z3_mk_concat)(c, exponent, fraction))
        }
    }
}
