//! Which symbols every C program has from the libraries that it is linked with anyway.

use std::ffi::{CStr, CString, c_void};
use std::sync::OnceLock;

/// Libraries of every program, by the names under which they are loaded.
const LIBRARIES: [&CStr; 3] = [c"libc.so.6", c"libm.so.6", c"libgcc_s.so.1"];

/// Names that the linker, the start-up files and the static parts of those libraries define.
const STATIC: &[&str] = &[
    "_GLOBAL_OFFSET_TABLE_",
    "__bss_start",
    "__dso_handle",
    "__ehdr_start",
    "__muloti4",
    "__stack_chk_fail_local",
    "_edata",
    "_end",
    "_etext",
    "at_quick_exit",
    "atexit",
    "edata",
    "end",
    "environ",
    "etext",
    "pthread_atfork",
];

/// What sanitizers and the runtime of instrumented programs bring along.
const PREFIXES: &[&str] = &[
    "__asan_",
    "__elw_",
    "__hwasan_",
    "__lsan_",
    "__msan_",
    "__sanitizer_",
    "__start_",
    "__stop_",
    "__tsan_",
    "__ubsan_",
    "__VERIFIER_",
    "elsewise_",
    "klee_",
];

/// A program that refers to this symbol links here without anybody defining it.
pub fn in_library(symbol: &str) -> bool {
    if STATIC.contains(&symbol) || PREFIXES.iter().any(|prefix| symbol.starts_with(prefix)) {
        return true;
    }
    let Ok(symbol) = CString::new(symbol) else {
        return false;
    };
    handles().iter().any(|handle| {
        // SAFETY: the handle came from dlopen and is never closed; the name ends with a NUL.
        let address = unsafe { libc::dlsym(*handle as *mut c_void, symbol.as_ptr()) };
        !address.is_null()
    })
}

/// The libraries, loaded once for the time of this process.
fn handles() -> &'static [usize] {
    static HANDLES: OnceLock<Vec<usize>> = OnceLock::new();
    HANDLES.get_or_init(|| {
        LIBRARIES
            .iter()
            // SAFETY: the name ends with a NUL; these libraries run no code of a subject's when
            // they are loaded, and this process most likely has them all.
            .map(|name| unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) } as usize)
            .filter(|handle| *handle != 0)
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::in_library;

    #[test]
    fn what_the_c_library_has_is_known_and_nothing_else() {
        let known = [
            "printf",
            "malloc",
            "memcpy",
            "qsort",
            "stdout",
            "__errno_location",
            "stat",
            "atexit",
            "pow",
            "sqrtf",
            "__isoc99_sscanf",
            "pthread_create",
            "__assert_fail",
            "_setjmp",
            "__udivti3",
            "__asan_load8",
            "__elw_branch",
            "elsewise_assume",
            "__ctype_b_loc",
            "__tls_get_addr",
        ];
        for symbol in known {
            assert!(in_library(symbol), "{symbol}");
        }
        let unknown = [
            "",
            "list_concat",
            "cJSON_Parse",
            "XML_Parse",
            "deflate",
            "sqlite3_open",
            "_ZTVSt9exception",
            "a\0b",
            "main",
        ];
        for symbol in unknown {
            assert!(!in_library(symbol), "{symbol:?}");
        }
    }
}
