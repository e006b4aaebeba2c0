//! Functions that no instrumented object defines, by what is known of their names: those of the runtime,
//! of harnesses for other tools, and of the C library.

use super::body::{Body, Said};
use super::*;
use elsewise_explore::program::{InputPlace, Operator, Register, Source};
use elsewise_wire::output::only_writes;

/// Whoever calls these has failed.
const FAIL: &[&str] = &[
    "__elw_m_assert_fail",
    "__assert_fail",
    "__elw_m_abort",
    "abort",
    "reach_error",
    "__VERIFIER_error",
    "elsewise_fail",
    "klee_report_error",
    "klee_abort",
    "__stack_chk_fail",
    "__chk_fail",
    "__cxa_pure_virtual",
    "__cxa_throw_bad_array_new_length",
];

/// Whoever calls these ends the run, and what they are called with is of no consequence.
const EXIT: &[&str] = &["exit", "_exit", "_Exit", "quick_exit"];

/// Nothing that the program can see follows from them.
const NOTHING: &[&str] = &[
    "elsewise_graph_end",
    "elsewise_atomic_begin",
    "elsewise_atomic_end",
    "klee_prefer_cex",
    "klee_open_merge",
    "klee_close_merge",
    "klee_warning",
    "klee_warning_once",
    "__elw_m_call",
    "__elw_m_return",
    "__elw_m_here",
    // What models say of labels and to other threads.
    "__elw_model",
    "__elw_settle",
    "__elw_loses_input",
    "__elw_clear",
    "__elw_comes_back",
    "__elw_fresh",
    "__elw_for_stream",
    "__elw_forget",
    "__elw_begins",
    "__elw_ends",
    "__elw_reads",
    "__elw_writes",
    "__elw_reads_text",
    "__elw_reads_until",
    "__elw_prints",
];

/// What may end the program in ways that are told by no step: handlers, and what unwinds.
const FAR_REACHING: &[&str] = &[
    "__cxa_atexit",
    "__cxa_throw",
    "__cxa_rethrow",
    "__cxa_begin_catch",
    "__cxa_end_catch",
    "__cxa_call_unexpected",
    "__cxa_guard_acquire",
    "__cxa_guard_release",
    "__cxa_guard_abort",
    "__clang_call_terminate",
    "_Unwind_Resume",
];

/// Values that all calls for one type take from one input: the end of its name, and bytes.
fn nondet(name: &str) -> Option<(&'static str, u32)> {
    Some(match name.strip_prefix("__VERIFIER_nondet_")? {
        "char" => ("nondet_char", 1),
        "uchar" | "u8" | "unsigned_char" => ("nondet_uchar", 1),
        "short" => ("nondet_short", 2),
        "ushort" | "u16" => ("nondet_ushort", 2),
        "int" => ("nondet_int", 4),
        "uint" | "u32" | "unsigned" => ("nondet_uint", 4),
        "long" | "loff_t" => ("nondet_long", 8),
        "ulong" => ("nondet_ulong", 8),
        "longlong" => ("nondet_longlong", 8),
        "ulonglong" => ("nondet_ulonglong", 8),
        "size_t" => ("nondet_size_t", 8),
        "pointer" => ("nondet_pointer", 8),
        "bool" => ("nondet_bool", 1),
        _ => return None,
    })
}

/// A panic of Rust's, by how its name is mangled; whoever catches one is not followed.
fn is_panic(name: &str) -> bool {
    name.starts_with("_ZN4core9panicking") || name.starts_with("_R") && name.contains("9panicking")
}

impl Body<'_> {
    /// Says a call of a function that no object defines.
    pub fn external(
        &mut self,
        name: &str,
        to: Option<Register>,
        arguments: &[Operand],
        site: Option<SiteId>,
    ) -> Said {
        if FAIL.contains(&name) || is_panic(name) {
            return Said::Ends(End::Fail);
        }
        if EXIT.contains(&name) {
            return Said::Ends(End::Exit);
        }
        if let Some((stream, size)) = nondet(name) {
            return self.next(stream, size, to);
        }
        let narrow = |index: usize| arguments.get(index).map(|one| self.width_of(one));
        let wide = |count: usize| (0..count).all(|index| narrow(index) == Some(64));
        match name {
            "elsewise_input" | "klee_make_symbolic" if wide(3) => {
                let place = InputPlace::Memory {
                    address: arguments[0].clone(),
                    size: arguments[1].clone(),
                };
                self.input(place, &arguments[2]);
            }
            "elsewise_assume" | "__VERIFIER_assume" | "klee_assume" if arguments.len() == 1 => {
                self.steps.push(Step::Assume {
                    condition: arguments[0].clone(),
                    site,
                });
            }
            "klee_int" if wide(1) => {
                let value = self.fresh(32);
                self.input(InputPlace::Register(value), &arguments[0]);
                return self.give(to, Operand::Register(value));
            }
            "klee_range"
                if narrow(0) == Some(32) && narrow(1) == Some(32) && narrow(2) == Some(64) =>
            {
                let value = self.fresh(32);
                self.input(InputPlace::Register(value), &arguments[2]);
                let value = Operand::Register(value);
                for (operator, operands) in [
                    (Operator::Sle, [arguments[0].clone(), value.clone()]),
                    (Operator::Slt, [value.clone(), arguments[1].clone()]),
                ] {
                    let condition = self.assign(1, operator, &operands);
                    self.steps.push(Step::Assume { condition, site });
                }
                return self.give(to, value);
            }
            "klee_silent_exit" => {
                self.steps.push(Step::Assume {
                    condition: number(1, 0),
                    site: None,
                });
                return Said::Ends(End::Unreachable);
            }
            "klee_is_symbolic" => {
                let width = to.map_or(32, |to| self.width(to));
                self.copy(to, number(width, 0));
            }
            "__elw_m_malloc" | "malloc" | "_Znwm" | "_Znam" | "__elw_m__Znwm" | "__elw_m__Znam"
                if wide(1) =>
            {
                let place = self.fresh(64);
                self.steps.push(Step::Allocate {
                    to: place,
                    size: arguments[0].clone(),
                    zeroed: false,
                });
                return self.give(to, Operand::Register(place));
            }
            "__elw_m_free" | "free" | "__elw_m__ZdlPv" | "__elw_m__ZdaPv" | "__elw_m__ZdlPvm"
            | "__elw_m__ZdaPvm" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm"
                if wide(1) =>
            {
                self.steps.push(Step::Release {
                    address: arguments[0].clone(),
                });
            }
            "__elw_m_memmove" | "__elw_m_memcpy" | "memmove" | "memcpy" if wide(3) => {
                self.steps.push(Step::Move {
                    to: arguments[0].clone(),
                    from: arguments[1].clone(),
                    size: arguments[2].clone(),
                });
                return self.give(to, arguments[0].clone());
            }
            "__elw_m_memset" | "memset" if arguments.len() == 3 && narrow(1) == Some(32) => {
                let value = self.assign(8, Operator::Truncate, &arguments[1..2]);
                self.steps.push(Step::Fill {
                    to: arguments[0].clone(),
                    value,
                    size: arguments[2].clone(),
                });
                return self.give(to, arguments[0].clone());
            }
            "elsewise_graph_begin" | "elsewise_graph_more" if wide(1) => {
                let before = self.steps.len();
                let said = match name {
                    "elsewise_graph_begin" => self.graph_begin(&arguments[0]),
                    _ => self.graph_more(&arguments[0]),
                };
                if let Err(why) = said {
                    self.steps.truncate(before);
                    self.opaque(None, why);
                }
            }
            "__elw_m_memcmp" | "__elw_m_bcmp" | "memcmp" if wide(3) => {
                let [a, b, size] = [0, 1, 2].map(|index| &arguments[index]);
                return match self.compare_memory(a, b, size) {
                    Some(result) => self.give(to, result),
                    None => self.join.stub(name).map_or(Said::Nothing, Said::Stub),
                };
            }
            "__elw_value" if wide(1) => return self.give(to, arguments[0].clone()),
            "__elw_input_fd" if narrow(0) == Some(32) && self.join.main_input.is_some() => {
                let same = self.assign(1, Operator::Eq, &[arguments[0].clone(), number(32, 0)]);
                let answer = self.assign(32, Operator::ZeroExtend, &[same]);
                return self.give(to, answer);
            }
            "__errno_location" => {
                let address = self.join.errno();
                return self.give(to, number(64, address));
            }
            _ if FAR_REACHING.contains(&name) => return Said::Nothing,
            _ if NOTHING.contains(&name) || only_writes(name) => {
                self.steps.push(Step::Effect { to });
            }
            "__elw_m_write" if matches!(arguments.first(), Some(Operand::Constant(fd)) if matches!(fd.to_u64(), Some(1 | 2))) =>
            {
                self.steps.push(Step::Effect { to });
            }
            _ => {
                return match self.join.stub(name) {
                    Some(number) => Said::Stub(number),
                    None => Said::Nothing,
                };
            }
        }
        Said::Here
    }

    /// A result, where it is as wide as the caller takes it for.
    fn give(&mut self, to: Option<Register>, value: Operand) -> Said {
        if let Some(to) = to {
            if self.width(to) != self.width_of(&value) {
                return Said::Nothing;
            }
            self.copy(Some(to), value);
        }
        Said::Here
    }

    fn input(&mut self, to: InputPlace, name: &Operand) {
        self.steps.push(Step::Input {
            to,
            source: Source::Named(name.clone()),
        });
    }

    fn next(&mut self, stream: &'static str, size: u32, to: Option<Register>) -> Said {
        let value = self.fresh(size * 8);
        self.steps.push(Step::Input {
            to: InputPlace::Register(value),
            source: Source::Next(stream.into()),
        });
        let mut value = Operand::Register(value);
        if stream == "nondet_bool" {
            value = self.assign(1, Operator::Truncate, &[value]);
            let width = to.map_or(1, |to| self.width(to));
            if width > 1 {
                value = self.assign(width, Operator::ZeroExtend, &[value]);
            }
        }
        self.give(to, value)
    }
}
