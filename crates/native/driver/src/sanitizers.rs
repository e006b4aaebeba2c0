//! Clang's sanitizers in the plain build: which ones it has, and how they are told to behave.
//!
//! The instrumented build cannot have those that watch memory, so a sanitized program's plain twin
//! runs on every case, and what it reports is how the run ended.

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSymbol};
use std::ffi::OsString;
use std::path::Path;

/// Symbol of a plain program that was asked for leaks besides its other errors.
pub(crate) const LEAKS_SYMBOL: &str = "__elsewise_detect_leaks";
/// Exit code for a report that does not end in an abort.
pub const REPORTED: i32 = 86;
/// The sanitizers that the instrumented build leaves out: they have a runtime and a shadow of
/// their own.
const LEFT_OUT: [&str; 10] = [
    "address",
    "hwaddress",
    "kernel-address",
    "leak",
    "memory",
    "thread",
    "type",
    "fuzzer",
    "fuzzer-no-link",
    "safe-stack",
];

/// The sanitizers of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sanitizers {
    /// One that watches memory, and so needs an address space without limit.
    pub memory: bool,
    pub undefined: bool,
    pub leaks: bool,
}

impl Sanitizers {
    /// Of a program, by its symbols.
    pub(crate) fn of(bytes: &[u8]) -> Sanitizers {
        let mut found = Sanitizers::default();
        let Ok(file) = ElfFile64::<Endianness>::parse(bytes) else {
            return found;
        };
        let mut address = false;
        let mut leak = false;
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            match symbol.name() {
                Ok("__asan_init") => address = true,
                Ok("__msan_init" | "__tsan_init" | "__hwasan_init") => found.memory = true,
                Ok("__lsan_init") => leak = true,
                Ok(LEAKS_SYMBOL) => found.leaks = true,
                Ok(name) if name.starts_with("__ubsan_handle_") => found.undefined = true,
                _ => {}
            }
        }
        // Where addresses are watched, leaks can be: they are if that was asked for.
        found.leaks |= leak && !address;
        found.memory |= address || leak;
        found
    }

    pub fn of_file(path: &Path) -> Sanitizers {
        // A program that cannot be read cannot be started either, which is said there.
        std::fs::read(path)
            .map(|bytes| Sanitizers::of(&bytes))
            .unwrap_or_default()
    }

    pub fn any(self) -> bool {
        self != Sanitizers::default()
    }

    /// What the environment tells them; `memory_limit` in bytes, 0 for none.
    pub fn env(self, memory_limit: u64) -> Vec<(OsString, OsString)> {
        if !self.any() {
            return Vec::new();
        }
        let mut common = format!(
            "abort_on_error=1:halt_on_error=1:exitcode={REPORTED}:print_stacktrace=1:color=never:\
             log_path=stderr:symbolize=1:handle_abort=0:allocator_may_return_null=1:\
             detect_leaks={}",
            u8::from(self.leaks)
        );
        if memory_limit != 0 {
            common.push_str(&format!(
                ":hard_rss_limit_mb={}",
                (memory_limit >> 20).max(64)
            ));
        }
        let mut env: Vec<(OsString, OsString)> = [
            "ASAN_OPTIONS",
            "UBSAN_OPTIONS",
            "LSAN_OPTIONS",
            "MSAN_OPTIONS",
            "TSAN_OPTIONS",
        ]
        .map(|name| (name.into(), common.clone().into()))
        .into();
        if let Some(symbolizer) = crate::toolchain::symbolizer() {
            for name in ["ASAN", "UBSAN", "LSAN", "MSAN", "TSAN"] {
                env.push((
                    format!("{name}_SYMBOLIZER_PATH").into(),
                    symbolizer.clone().into(),
                ));
            }
        }
        env
    }
}

/// What the sanitizers that the instrumented build keeps are told: to end the run, quietly, and
/// leave signals to the runtime.
pub(crate) fn instrumented_env() -> (OsString, OsString) {
    let options = "halt_on_error=1:abort_on_error=1:symbolize=0:handle_segv=0:handle_sigbus=0:\
        handle_sigfpe=0:handle_sigill=0:handle_abort=0:handle_sigtrap=0";
    ("UBSAN_OPTIONS".into(), options.into())
}

/// `-fsanitize=…` as the instrumented build gets it: without those that it cannot have; `None`
/// when nothing is left of it.
pub(crate) fn instrumented_option(list: &str) -> Option<String> {
    let kept: Vec<&str> = list
        .split(',')
        .filter(|name| !name.is_empty() && !LEFT_OUT.contains(name))
        .collect();
    (!kept.is_empty()).then(|| format!("-fsanitize={}", kept.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_instrumented_build_keeps() {
        for (list, kept) in [
            ("address", None),
            ("address,leak", None),
            ("address,undefined", Some("-fsanitize=undefined")),
            ("shift,thread,bounds", Some("-fsanitize=shift,bounds")),
        ] {
            assert_eq!(instrumented_option(list).as_deref(), kept, "{list}");
        }
    }

    #[test]
    fn what_is_no_program_has_no_sanitizers() {
        assert!(!Sanitizers::of(b"\x7fELF nonsense").any());
        assert_eq!(Sanitizers::default().env(0), []);
    }
}
