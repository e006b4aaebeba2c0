//! What is known of functions by their name.

pub use elsewise_wire::libc::model;
use elsewise_wire::output::TEXT;
use elsewise_wire::{Formula, Op};

/// An object with models has this function; the names of library functions in it mean the real
/// ones.
pub const MODELS_MARK: &str = "__elw_models_start";

/// Labels do not concern what these do.
pub fn is_silent(name: &str) -> bool {
    // What the pass and the models call of the runtime is no part of the program.
    (name.starts_with("__elw_") && !of_runtime(name) && !name.starts_with("__elw_h_"))
        || is_unwinding(name)
        || is_linking(name)
        || is_about_threads(name)
        || name.starts_with("__ubsan_handle_")
        || matches!(
            name,
            "__errno_location" | "__ctype_b_loc" | "__ctype_tolower_loc" | "__ctype_toupper_loc"
        )
}

/// Output functions that have a model for who looks at their results, under their own name.
const OUTPUT_MODELS: &str = "printf fprintf dprintf vprintf vfprintf vdprintf putchar \
     putchar_unlocked fputc fputc_unlocked putc putc_unlocked fwrite fwrite_unlocked";

pub fn output_model(name: &str) -> Option<String> {
    let mut all = OUTPUT_MODELS.split_whitespace();
    all.any(|one| one == name)
        .then(|| format!("__elw_m_{name}"))
}

/// Structures that functions of the runtime's look at without following what is in them: which argument points
/// there, how many bytes, and the functions' names.
const LOOKED_AT: &[(usize, u32, &str)] = &[
    // A time.
    (0, 16, "nanosleep thrd_sleep"),
    (1, 16, "pthread_mutex_timedlock sem_timedwait mtx_timedlock"),
    (
        1,
        16,
        "pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock",
    ),
    (
        2,
        16,
        "clock_nanosleep pthread_cond_timedwait cnd_timedwait",
    ),
    (
        2,
        16,
        "pthread_mutex_clocklock sem_clockwait ppoll sigtimedwait",
    ),
    (
        2,
        16,
        "pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock",
    ),
    (3, 16, "pthread_cond_clockwait"),
    (4, 16, "select pselect"),
    (1, 32, "setitimer"),
    (2, 32, "timerfd_settime timer_settime"),
    // A set of signals, of which the system looks at so much, and what is done with one.
    (0, 8, "sigsuspend sigwait sigwaitinfo sigtimedwait"),
    (1, 8, "sigprocmask pthread_sigmask"),
    (3, 8, "ppoll"),
    (1, 152, "sigaction"),
    // Sets of descriptors.
    (1, 128, "select pselect"),
    (2, 128, "select pselect"),
    (3, 128, "select pselect"),
    (3, 12, "epoll_ctl"),
];

/// Functions of the C library that look at variables of the environment by themselves.
const READS_ENVIRONMENT: &str = "tzset localtime localtime_r mktime strftime ctime ctime_r setlocale newlocale \
     tempnam tmpnam setenv unsetenv putenv clearenv system popen execvp execlp posix_spawnp getopt getopt_long";

pub fn reads_environment(name: &str) -> bool {
    READS_ENVIRONMENT.split_whitespace().any(|one| one == name)
}

/// Functions that keep a function and a pointer for the end of the program or of a thread.
const KEEPS_FOR_THE_END: &str = "on_exit __cxa_atexit __cxa_thread_atexit __cxa_thread_atexit_impl";

pub fn keeps_for_the_end(name: &str) -> bool {
    KEEPS_FOR_THE_END.split(' ').any(|one| one == name)
}

/// Functions that keep a function, which is called later by nobody who is instrumented: which argument that is.
const KEEPS_FUNCTION: &[(usize, &str)] = &[
    (
        0,
        "set_terminate set_unexpected _ZSt13set_terminatePFvvE _ZSt14set_unexpectedPFvvE",
    ),
    (0, "pthread_atfork"),
    (
        1,
        "pthread_atfork pthread_key_create tss_create makecontext",
    ),
    (2, "pthread_atfork"),
];

pub fn keeps_function(name: &str) -> impl Iterator<Item = usize> {
    let named = move |names: &str| names.split(' ').any(|one| one == name);
    let all = KEEPS_FUNCTION.iter().filter(move |(_, names)| named(names));
    all.map(|(argument, _)| *argument)
}

pub fn looked_at(name: &str) -> impl Iterator<Item = (usize, u32)> {
    sizes(LOOKED_AT, name)
}

fn sizes(table: &'static [(usize, u32, &str)], name: &str) -> impl Iterator<Item = (usize, u32)> {
    let named = move |names: &str| names.split(' ').any(|one| one == name);
    let all = table.iter().filter(move |(.., names)| named(names));
    all.map(|(argument, size, _)| (*argument, *size))
}

/// How much a function of the C library reads of what an argument points to, where nothing tells how large
/// that is: which argument, how many bytes (none where it only writes there, or finds what is its own), and
/// the functions' names.
const READS: &[(usize, u32, &str)] = &[
    (0, 0, STRFTIME),
    (2, TEXT, STRFTIME),
    (3, 56, STRFTIME),
    (4, 0, STRFTIME),
    (0, 8, "gmtime gmtime_r localtime localtime_r ctime ctime_r"),
    (1, 0, "gmtime_r localtime_r ctime_r asctime_r"),
    (0, 56, "mktime timegm timelocal asctime asctime_r"),
    // Of models, for what has no labels any more, or formats.
    (0, 0, "strlen strnlen"),
    (0, TEXT, "strspn strchr"),
];

const STRFTIME: &str = "strftime strftime_l __strftime_l";

pub fn reads(name: &str) -> impl Iterator<Item = (usize, u32)> {
    sizes(READS, name)
}

/// Functions of other libraries, or of the system, that read nothing of the memory that they are
/// given pointers to: they write there, keep them, or look at what is theirs alone.
const READS_NOTHING: &[&str] = &[
    "time gettimeofday clock_gettime clock_getres times getrusage getrlimit getrlimit64 uname",
    "getcwd gethostname getdomainname sysinfo getloadavg getcpu sched_getaffinity sched_getparam",
    "sigemptyset sigfillset sigpending timer_gettime waitpid wait wait3 wait4",
    "tcgetattr ttyname_r getlogin_r getresuid getresgid getgroups statvfs fstatvfs",
    "pthread_setspecific pthread_getspecific pthread_key_create pthread_atfork",
    "__pthread_register_cancel __pthread_unregister_cancel __pthread_unwind_next",
    "atexit on_exit at_quick_exit __cxa_atexit __cxa_thread_atexit __cxa_thread_atexit_impl",
    "__cxa_get_exception_ptr __cxa_current_exception_type __cxa_init_primary_exception",
    "__dynamic_cast __cxa_bad_cast __cxa_bad_typeid _Unwind_RaiseException _Unwind_DeleteException",
    "setjmp _setjmp __sigsetjmp sigsetjmp feof ferror clearerr fileno feof_unlocked ferror_unlocked",
    "fileno_unlocked fflush fclose ftell ftello ftello64 setbuf setvbuf setlinebuf",
    "nl_langinfo __nl_langinfo_l nl_langinfo_l uselocale __uselocale duplocale __duplocale",
    "freelocale __freelocale localeconv __ctype_get_mb_cur_max",
    "signal bsd_signal sysv_signal set_terminate set_unexpected",
    "_ZSt13set_terminatePFvvE _ZNSt6localeC1Ev _ZNSt6localeD1Ev _ZNSt8ios_base4InitC1Ev",
    "_ZNSt8ios_base4InitD1Ev _ZSt9terminatev _ZSt18uncaught_exceptionv _ZSt19uncaught_exceptionsv",
    "_ZSt17current_exceptionv _ZNSt15__exception_ptr13exception_ptrC1ERKS0_",
    "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
    "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv",
    "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv",
    "_ZNSt15__exception_ptr13exception_ptrD1Ev _ZNSt15__exception_ptr13exception_ptrD2Ev",
    "__elw_h_print_float",
    "_ZNSt13__future_base12_Result_baseC2Ev _ZNSt13__future_base12_Result_baseD2Ev",
    "_ZNSt16nested_exceptionD0Ev _ZNSt16nested_exceptionD1Ev _ZNSt16nested_exceptionD2Ev",
];

/// Threads of C++ and what they wait by, the ends of exceptions that the language itself throws, and
/// what those say.
const OF_LANGUAGE: &[&str] = &[
    "_ZNSt6thread",
    "_ZNSt18condition_variable",
    "_ZNSt28__atomic_futex_unsigned_base",
    "_ZNSt9exceptionD",
    "_ZNKSt9exception4whatEv",
    "_ZNSt13bad_exceptionD",
    "_ZNSt9bad_allocD",
    "_ZNSt8bad_castD",
    "_ZNSt10bad_typeidD",
    "_ZNSt20bad_array_new_lengthD",
];

/// Functions of threads that take, or give back, more than what threads wait for each other by.
fn carries_data(name: &str) -> bool {
    let of_threads = name.starts_with("pthread_") || name.starts_with("thrd_");
    let words = ["set", "get", "sigqueue", "_np"];
    // What attributes are given is no memory.
    let known = matches!(name, "pthread_setspecific" | "pthread_getspecific")
        || name.contains("attr_")
        || name.starts_with("pthread_setcancel");
    of_threads && !known && words.iter().any(|word| name.contains(word))
}

pub fn reads_nothing(name: &str) -> bool {
    if carries_data(name) {
        return false;
    }
    // What threads wait for each other by.
    let threads = ["pthread_", "sem_", "mtx_", "cnd_", "thrd_", "call_once"];
    // `new` and `delete` in all their forms.
    let memory = ["_Znw", "_Zna", "_Zdl", "_Zda", "malloc", "calloc", "free"];
    let mut known = threads
        .iter()
        .chain(&memory)
        .chain(OF_LANGUAGE)
        .chain(&["elsewise_"]);
    known.any(|prefix| name.starts_with(prefix))
        || READS_NOTHING
            .iter()
            .any(|line| line.split(' ').any(|one| one == name))
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

/// How objects of threads are to be, and who is who: no data of the program goes through these.
/// Intrinsics that read or write how floats are rounded and which exceptions they have raised.
pub fn is_environment_of_floats(name: &str) -> bool {
    let words = ["mxcsr", ".rounding", ".fpenv", ".fpmode"];
    words.iter().any(|word| name.contains(word))
}

fn is_about_threads(name: &str) -> bool {
    name.starts_with("pthread_") && (name.ends_with("attr_init") || name.ends_with("attr_destroy"))
        || matches!(name, "pthread_self" | "pthread_equal" | "pthread_detach")
}

/// Parts of the C++ library's containers that are not templates: they link nodes, and never look
/// at what is in them.
fn is_linking(name: &str) -> bool {
    name.starts_with("_ZSt18_Rb_tree_") // increment, decrement
        || name.starts_with("_ZSt29_Rb_tree_insert_and_rebalance")
        || name.starts_with("_ZSt28_Rb_tree_rebalance_for_erase")
        || name.starts_with("_ZNSt8__detail15_List_node_base")
}

/// Functions whose result ends the run, or is looked at by nobody.
pub fn only_result(name: &str) -> bool {
    matches!(
        name,
        "main" | "LLVMFuzzerTestOneInput" | "LLVMFuzzerInitialize"
    )
}

/// The runtime's part of `elsewise.h` and the models: they follow the calling protocol.
pub fn of_runtime(name: &str) -> bool {
    name.starts_with("__elw_m_")
        || matches!(
            name,
            "elsewise_input"
                | "elsewise_assume"
                | "elsewise_fail"
                | "elsewise_atomic_begin"
                | "elsewise_atomic_end"
        )
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
    /// A node of its own, of one or two operands.
    Node(Op),
    /// A product and a sum, rounded each.
    MultiplyAdd,
    VaStart,
    VaCopy,
    /// Labelled operands are made concrete.
    Other,
}

impl Intrinsic {
    /// Is its result's label computed from those of its operands?
    pub fn has_label(self) -> bool {
        use Intrinsic::*;
        matches!(self, Same | Formula(_) | Node(_) | MultiplyAdd)
    }
}

/// May an intrinsic of which nothing is known read or write where its pointers point to?
pub fn may_touch_memory(name: &str) -> bool {
    let moves_none = [
        "llvm.eh.",
        "llvm.coro.",
        "llvm.type.",
        "llvm.public.type.",
        "llvm.stack",
    ];
    !moves_none.iter().any(|prefix| name.starts_with(prefix))
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

/// Functions of the mathematical library that are one operation on floats.
pub fn mathematical(name: &str) -> Option<Intrinsic> {
    let op = match name.strip_suffix('f').unwrap_or(name) {
        "fmin" => Op::FMin,
        "fmax" => Op::FMax,
        "fmod" => Op::FRem,
        name => float_operation(name)?,
    };
    Some(Intrinsic::Node(op))
}

fn float(rest: &str) -> Option<Op> {
    let (name, ty) = rest.split_once('.')?;
    match ty {
        "f32" | "f64" => float_operation(name),
        _ => None,
    }
}

fn float_operation(name: &str) -> Option<Op> {
    Some(match name {
        "fabs" => Op::FAbs,
        "sqrt" => Op::FSqrt,
        "floor" => Op::FFloor,
        "ceil" => Op::FCeil,
        "trunc" => Op::FTrunc,
        "rint" | "nearbyint" | "roundeven" => Op::FRint,
        "round" => Op::FRound,
        "minnum" => Op::FMin,
        "maxnum" => Op::FMax,
        "copysign" => Op::FCopySign,
        _ => return None,
    })
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
        "annotation",
        "ptr.annotation",
    ]) {
        Same
    } else if let Some(formula) = formula(rest) {
        Formula(formula)
    } else if let Some(op) = float(rest) {
        Node(op)
    } else if is(&["fmuladd"]) {
        MultiplyAdd
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
        "var.annotation",
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
