//! What is known of functions by their name.

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
        _ => return None,
    })
}

/// Functions of the C library that only write out what they are given, or end the run: nothing
/// that the program does later depends on their arguments, so these are not made concrete.
pub fn only_output(name: &str) -> bool {
    matches!(
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
    ByteSwap,
    VaStart,
    VaCopy,
    /// Labelled operands are made concrete.
    Other,
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
    } else if is(&["bswap"]) {
        ByteSwap
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
