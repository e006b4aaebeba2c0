//! What is known of functions by their name.

use elsewise_wire::Formula;

/// Functions whose place a model of the runtime takes.
pub fn model(name: &str) -> Option<&'static str> {
    Some(match name {
        "read" => "__elw_m_read",
        "malloc" => "__elw_m_malloc",
        "calloc" => "__elw_m_calloc",
        "realloc" => "__elw_m_realloc",
        "memcpy" | "memmove" => "__elw_m_memmove",
        "memset" => "__elw_m_memset",
        "__assert_fail" => "__elw_m_assert_fail",
        "abort" => "__elw_m_abort",
        "__cxa_allocate_exception" => "__elw_m_cxa_allocate_exception",
        _ => return None,
    })
}

/// Functions of the C library that only write out what they are given, or end the run: nothing
/// that the program does later depends on their arguments, so these are not made concrete.
pub fn only_output(name: &str) -> bool {
    is_unwinding(name)
        || name.starts_with("__ubsan_handle_")
        || matches!(
            name,
            "printf"
                | "fprintf"
                | "dprintf"
                | "vprintf"
                | "vfprintf"
                | "puts"
                | "putchar"
                | "fputs"
                | "fputc"
                | "putc"
                | "fwrite"
                | "write"
                | "fflush"
                | "perror"
                | "exit"
                | "_exit"
                | "_Exit"
                | "free"
                | "__elw_m_abort"
                | "__elw_m_assert_fail"
        )
}

/// What clang calls to throw and catch: it moves pointers to exceptions, not what is in them.
fn is_unwinding(name: &str) -> bool {
    matches!(
        name,
        "__cxa_throw"
            | "__cxa_rethrow"
            | "__cxa_begin_catch"
            | "__cxa_end_catch"
            | "__cxa_free_exception"
            | "__cxa_call_unexpected"
            | "__cxa_guard_acquire"
            | "__cxa_guard_release"
            | "__cxa_guard_abort"
            | "__cxa_atexit"
            | "__cxa_pure_virtual"
            | "__clang_call_terminate"
            | "_Unwind_Resume"
    )
}

/// The runtime's part of `elsewise.h` and the models: they follow the calling protocol.
pub fn of_runtime(name: &str) -> bool {
    name.starts_with("__elw_m_")
        || matches!(name, "elsewise_input" | "elsewise_assume" | "elsewise_fail")
}

/// What an intrinsic means for labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intrinsic {
    /// Moves no data.
    Nothing,
    Copy,
    Fill,
    /// The result is the first operand.
    Same,
    /// Computed from the operands as the runtime knows how.
    Formula(Formula),
    VaStart,
    VaCopy,
    /// Labelled operands are made concrete.
    Other,
}

impl Intrinsic {
    /// Is its result's label computed from those of its operands?
    pub fn has_label(self) -> bool {
        matches!(self, Intrinsic::Same | Intrinsic::Formula(_))
    }
}

fn formula(rest: &str) -> Option<Formula> {
    let table = [
        ("bswap.", Formula::ByteSwap),
        ("bitreverse.", Formula::BitReverse),
        ("ctpop.", Formula::CountOnes),
        ("ctlz.", Formula::LeadingZeros),
        ("cttz.", Formula::TrailingZeros),
        ("abs.", Formula::Abs),
        ("smin.", Formula::SMin),
        ("smax.", Formula::SMax),
        ("umin.", Formula::UMin),
        ("umax.", Formula::UMax),
        ("fshl.", Formula::FunnelLeft),
        ("fshr.", Formula::FunnelRight),
        ("sadd.with.overflow.", Formula::SAddOverflow),
        ("uadd.with.overflow.", Formula::UAddOverflow),
        ("ssub.with.overflow.", Formula::SSubOverflow),
        ("usub.with.overflow.", Formula::USubOverflow),
        ("smul.with.overflow.", Formula::SMulOverflow),
        ("umul.with.overflow.", Formula::UMulOverflow),
    ];
    let found = table.iter().find(|(name, _)| rest.starts_with(name))?;
    Some(found.1)
}

pub fn intrinsic(name: &str) -> Option<Intrinsic> {
    use Intrinsic::*;
    let rest = name.strip_prefix("llvm.")?;
    let is = |prefixes: &[&str]| {
        prefixes.iter().any(|p| {
            rest.strip_prefix(p)
                .is_some_and(|r| r.is_empty() || r.starts_with('.'))
        })
    };
    Some(if is(&["memcpy", "memmove"]) {
        Copy
    } else if is(&["memset"]) {
        Fill
    } else if is(&[
        "expect",
        "launder.invariant.group",
        "strip.invariant.group",
        "ssa.copy",
    ]) {
        Same
    } else if let Some(formula) = formula(rest) {
        Formula(formula)
    } else if is(&["va_start"]) {
        VaStart
    } else if is(&["va_copy"]) {
        VaCopy
    } else if is(&[
        "lifetime",
        "dbg",
        "assume",
        "invariant",
        "stacksave",
        "stackrestore",
        "annotation",
        "var.annotation",
        "ptr.annotation",
        "trap",
        "debugtrap",
        "ubsantrap",
        "prefetch",
        "donothing",
        "va_end",
        "frameaddress",
        "returnaddress",
        "threadlocal.address",
        "objectsize",
        "is.constant",
        "experimental.noalias.scope.decl",
        "sideeffect",
    ]) {
        Nothing
    } else {
        Other
    })
}
