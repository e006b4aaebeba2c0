//! Terms into Z3's, answers out of it. One context per question: nothing outlives it.

use super::Z3Answer;
use super::api::{Api, Handle};
use elsewise_term::float::is_float;
use elsewise_term::lookup::{Selector, select};
use elsewise_term::{Bits, Node, Op, Sort, Table, TermId, Terms, VarId, Walker};
use rustc_hash::FxHashMap;
use std::ffi::{CStr, c_int, c_uint};
use std::time::{Duration, Instant};

pub(super) struct Context<'a> {
    pub api: &'a Api,
    pub handle: Handle,
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: the context was made by `check` and nothing of it is used any more.
        unsafe { (self.api.Z3_del_context)(self.handle) }
    }
}

const SAT: c_int = 1;
const UNSAT: c_int = -1;

pub(super) fn check(
    api: &Api,
    terms: &Terms,
    conditions: &[TermId],
    limit: Duration,
    small_core: bool,
) -> Z3Answer {
    // SAFETY: calls follow z3_api.h: handles come from the same context, which keeps all terms
    // until it is deleted; solver, model and vectors are counted. Errors show as a code at the
    // end (no handler) and make the answer unknown.
    unsafe {
        let config = (api.Z3_mk_config)();
        let context = Context {
            api,
            handle: (api.Z3_mk_context)(config),
        };
        (api.Z3_del_config)(config);
        (api.Z3_set_error_handler)(context.handle, None);
        let answer = context.check(terms, conditions, limit, small_core);
        match (api.Z3_get_error_code)(context.handle) {
            0 => answer,
            _ => Z3Answer::Unknown,
        }
    }
}

impl Context<'_> {
    /// # Safety
    /// The context is live.
    unsafe fn check(
        &self,
        terms: &Terms,
        conditions: &[TermId],
        limit: Duration,
        small_core: bool,
    ) -> Z3Answer {
        let (api, c) = (self.api, self.handle);
        let start = Instant::now();
        // SAFETY: every handle is made in this context: operands come before what is made of them, and solvers are counted.
        unsafe {
            let mut made: FxHashMap<TermId, Handle> = FxHashMap::default();
            let mut floats: FxHashMap<TermId, Handle> = FxHashMap::default();
            let mut vars = Vec::new();
            let mut reached = Vec::new();
            Walker::new().walk(terms, conditions, usize::MAX, |term| reached.push(term));
            // Operands have smaller ids.
            reached.sort_unstable();
            for term in reached {
                vars.extend(terms.as_var(term));
                let handle = match terms.op(term) {
                    // Not Z3's remainder of floats.
                    Some(Op::FRem) => return Z3Answer::Unknown,
                    Some(op) if is_float(op) => self.float(terms, term, &made, &mut floats),
                    _ => self.translate(terms, term, &made),
                };
                made.insert(term, handle);
            }
            // First as a whole: Z3 decides what it need not take apart far faster.
            let solver = (api.Z3_mk_solver)(c);
            (api.Z3_solver_inc_ref)(c, solver);
            self.set_timeout(solver, limit);
            for condition in conditions {
                (api.Z3_solver_assert)(c, solver, made[condition]);
            }
            let answer = match (api.Z3_solver_check)(c, solver) {
                SAT => self.model(terms, solver, &vars, &made),
                UNSAT if small_core => {
                    let left = limit.saturating_sub(start.elapsed());
                    let core = self.core(terms, conditions, &made, left);
                    Z3Answer::Unsat(core.unwrap_or_else(|| conditions.to_vec()))
                }
                UNSAT => Z3Answer::Unsat(conditions.to_vec()),
                _ => Z3Answer::Unknown,
            };
            (api.Z3_solver_dec_ref)(c, solver);
            answer
        }
    }

    /// # Safety
    /// The context is live, and the solver is one of it.
    unsafe fn set_timeout(&self, solver: Handle, limit: Duration) {
        let (api, c) = (self.api, self.handle);
        const TIMEOUT: &CStr = c"timeout";
        // SAFETY: a solver of this context; the parameters are counted.
        unsafe {
            let params = (api.Z3_mk_params)(c);
            (api.Z3_params_inc_ref)(c, params);
            let name = (api.Z3_mk_string_symbol)(c, TIMEOUT.as_ptr());
            let millis = limit.as_millis().clamp(1, 1 << 30) as c_uint;
            (api.Z3_params_set_uint)(c, params, name, millis);
            (api.Z3_solver_set_params)(c, solver, params);
            (api.Z3_params_dec_ref)(c, params);
        }
    }

    /// The conditions that Z3 needs for the conflict, if it finds it again in time.
    ///
    /// # Safety
    /// The context is live, and `made` has the conditions in it.
    unsafe fn core(
        &self,
        terms: &Terms,
        conditions: &[TermId],
        made: &FxHashMap<TermId, Handle>,
        limit: Duration,
    ) -> Option<Vec<TermId>> {
        let (api, c) = (self.api, self.handle);
        // SAFETY: handles of this context; the solver and the vector are counted.
        unsafe {
            let solver = (api.Z3_mk_solver)(c);
            (api.Z3_solver_inc_ref)(c, solver);
            self.set_timeout(solver, limit);
            let mut assumed = Vec::new();
            let mut by_id: FxHashMap<c_uint, TermId> = FxHashMap::default();
            for (index, condition) in conditions.iter().enumerate() {
                // Names beyond those of inputs.
                let name = (api.Z3_mk_int_symbol)(c, (terms.vars() + index) as c_int);
                let holds = (api.Z3_mk_const)(c, name, (api.Z3_mk_bool_sort)(c));
                let implies = (api.Z3_mk_implies)(c, holds, made[condition]);
                (api.Z3_solver_assert)(c, solver, implies);
                by_id.insert((api.Z3_get_ast_id)(c, holds), *condition);
                assumed.push(holds);
            }
            let count = assumed.len() as c_uint;
            let result = (api.Z3_solver_check_assumptions)(c, solver, count, assumed.as_ptr());
            let core = (result == UNSAT).then(|| {
                let vector = (api.Z3_solver_get_unsat_core)(c, solver);
                (api.Z3_ast_vector_inc_ref)(c, vector);
                let core = (0..(api.Z3_ast_vector_size)(c, vector))
                    .filter_map(|index| {
                        let holds = (api.Z3_ast_vector_get)(c, vector, index);
                        by_id.get(&(api.Z3_get_ast_id)(c, holds)).copied()
                    })
                    .collect();
                (api.Z3_ast_vector_dec_ref)(c, vector);
                core
            });
            (api.Z3_solver_dec_ref)(c, solver);
            core
        }
    }

    /// # Safety
    /// The context is live, the solver is one of it that has found a model, and `made` has the variables in it.
    unsafe fn model(
        &self,
        terms: &Terms,
        solver: Handle,
        vars: &[VarId],
        made: &FxHashMap<TermId, Handle>,
    ) -> Z3Answer {
        let (api, c) = (self.api, self.handle);
        // SAFETY: a solver of this context that has found a model, which is counted.
        unsafe {
            let model = (api.Z3_solver_get_model)(c, solver);
            if model.is_null() {
                return Z3Answer::Unknown;
            }
            (api.Z3_model_inc_ref)(c, model);
            let values: Option<Vec<(VarId, Bits)>> = vars
                .iter()
                .map(|var| {
                    let term = terms.var_term(*var);
                    let value = self.value(model, made[&term], terms.sort(term))?;
                    Some((*var, value))
                })
                .collect();
            (api.Z3_model_dec_ref)(c, model);
            values.map_or(Z3Answer::Unknown, Z3Answer::Sat)
        }
    }

    /// # Safety
    /// The context is live, and the model and the term are of it.
    unsafe fn value(&self, model: Handle, term: Handle, sort: Sort) -> Option<Bits> {
        let (api, c) = (self.api, self.handle);
        // SAFETY: a model and a term of this context.
        unsafe {
            let eval = |term: Handle| {
                let mut value = std::ptr::null_mut();
                (api.Z3_model_eval)(c, model, term, true, &mut value).then_some(value)
            };
            let Sort::BitVec(width) = sort else {
                let value = (api.Z3_get_bool_value)(c, eval(term)?);
                return Some(Bits::new(1, u64::from(value == SAT)));
            };
            let mut words = Vec::new();
            for low in (0..width).step_by(64) {
                let high = (low + 63).min(width - 1);
                let part = (api.Z3_mk_extract)(c, high, low, term);
                let mut word = 0;
                if !(api.Z3_get_numeral_uint64)(c, eval(part)?, &mut word) {
                    return None;
                }
                words.push(word);
            }
            Some(Bits::from_words(width, &words))
        }
    }

    /// # Safety
    /// The context is live, and `made` has the term's operands in it.
    unsafe fn translate(
        &self,
        terms: &Terms,
        term: TermId,
        made: &FxHashMap<TermId, Handle>,
    ) -> Handle {
        let (api, c) = (self.api, self.handle);
        // SAFETY: operands are terms of this context, of the sorts that each operator takes.
        unsafe {
            let (op, operands) = match terms.node(term) {
                Node::True => return (api.Z3_mk_true)(c),
                Node::False => return (api.Z3_mk_false)(c),
                Node::Const(value) => return self.constant(&value),
                Node::Var(var) => {
                    let name = (api.Z3_mk_int_symbol)(c, var.index() as c_int);
                    let sort = match terms.sort(term) {
                        Sort::Bool => (api.Z3_mk_bool_sort)(c),
                        Sort::BitVec(width) => (api.Z3_mk_bv_sort)(c, width),
                    };
                    return (api.Z3_mk_const)(c, name, sort);
                }
                Node::App(op, operands) => (op, operands),
            };
            let handles: Vec<Handle> = operands.iter().map(|operand| made[operand]).collect();
            let a = handles[0];
            let binary = match op {
                Op::Not => return (api.Z3_mk_not)(c, a),
                Op::And => return (api.Z3_mk_and)(c, 2, handles.as_ptr()),
                Op::Or => return (api.Z3_mk_or)(c, 2, handles.as_ptr()),
                Op::Ite => return (api.Z3_mk_ite)(c, a, handles[1], handles[2]),
                Op::BvNot => return (api.Z3_mk_bvnot)(c, a),
                Op::BvNeg => return (api.Z3_mk_bvneg)(c, a),
                Op::Extract { low } => {
                    return (api.Z3_mk_extract)(c, low + terms.width(term) - 1, low, a);
                }
                Op::ZeroExtend | Op::SignExtend => {
                    let by = terms.width(term) - terms.width(operands[0]);
                    return match op {
                        Op::ZeroExtend => (api.Z3_mk_zero_ext)(c, by, a),
                        _ => (api.Z3_mk_sign_ext)(c, by, a),
                    };
                }
                Op::Xor => api.Z3_mk_xor,
                Op::Eq => api.Z3_mk_eq,
                Op::BvAnd => api.Z3_mk_bvand,
                Op::BvOr => api.Z3_mk_bvor,
                Op::BvXor => api.Z3_mk_bvxor,
                Op::BvAdd => api.Z3_mk_bvadd,
                Op::BvSub => api.Z3_mk_bvsub,
                Op::BvMul => api.Z3_mk_bvmul,
                Op::BvUDiv => api.Z3_mk_bvudiv,
                Op::BvURem => api.Z3_mk_bvurem,
                Op::BvSDiv => api.Z3_mk_bvsdiv,
                Op::BvSRem => api.Z3_mk_bvsrem,
                Op::BvShl => api.Z3_mk_bvshl,
                Op::BvLShr => api.Z3_mk_bvlshr,
                Op::BvAShr => api.Z3_mk_bvashr,
                Op::Concat => api.Z3_mk_concat,
                Op::Lookup { table } => {
                    return self.look_up(terms.table_of(table), a, terms.width(operands[0]));
                }
                Op::BvUlt => api.Z3_mk_bvult,
                Op::BvUle => api.Z3_mk_bvule,
                Op::BvSlt => api.Z3_mk_bvslt,
                Op::BvSle => api.Z3_mk_bvsle,
                _ => unreachable!("{op:?} is an operator on floats"),
            };
            binary(c, a, handles[1])
        }
    }

    /// The entry of an index as choices over its bits.
    ///
    /// # Safety
    /// The context is live, and the index is a term of it, of so many bits.
    unsafe fn look_up(&self, table: &Table, index: Handle, width: u32) -> Handle {
        let (api, c) = (self.api, self.handle);
        // SAFETY: an index of this context, of so many bits.
        unsafe {
            let sort = (api.Z3_mk_bv_sort)(c, table.width());
            let entries = table
                .entries()
                .iter()
                .map(|entry| (api.Z3_mk_unsigned_int64)(c, *entry, sort))
                .collect();
            let differs = |high: u32, low: u32| {
                let part = (api.Z3_mk_extract)(c, high, low, index);
                let zero = self.constant(&Bits::zero(high + 1 - low));
                (api.Z3_mk_not)(c, (api.Z3_mk_eq)(c, part, zero))
            };
            select(entries, width, |selector, yes: &Handle, no| {
                let holds = match selector {
                    Selector::Bit(bit) => differs(bit, bit),
                    Selector::Above(bit) => differs(width - 1, bit),
                };
                (api.Z3_mk_ite)(c, holds, *yes, *no)
            })
        }
    }

    /// Constants of more than 64 bits are put together from words.
    ///
    /// # Safety
    /// The context is live.
    pub(super) unsafe fn constant(&self, value: &Bits) -> Handle {
        let (api, c) = (self.api, self.handle);
        let width = value.width();
        let mut whole: Option<Handle> = None;
        for (index, word) in value.words().enumerate() {
            let part = (width - index as u32 * 64).min(64);
            // SAFETY: the context is live, as the caller says.
            unsafe {
                let sort = (api.Z3_mk_bv_sort)(c, part);
                let word = (api.Z3_mk_unsigned_int64)(c, word, sort);
                whole = Some(match whole {
                    Some(below) => (api.Z3_mk_concat)(c, word, below),
                    None => word,
                });
            }
        }
        whole.expect("a bit-vector has at least one bit")
    }
}
