//! Which of the user's options each of the two builds gets, and what is added.

use super::options::CommandLine;
use crate::artefacts::Unpacked;
use crate::sanitizers;
use std::ffi::OsString;

/// Names of the runtime that a program offers to the shared libraries it loads.
pub const EXPORTED: [&str; 2] = ["__elw_*", "elsewise_*"];

/// What the code generator leaves out: it costs more time, by the size of instrumented code, than it
/// brings when that is run. Registers it allocates as well as it can.
const CODE_GENERATOR: [&str; 11] = [
    "-fast-isel",
    "-enable-misched=false",
    "-disable-cgp",
    "-disable-constant-hoisting",
    "-disable-copyprop",
    "-disable-early-ifcvt",
    "-disable-lsr",
    "-disable-machine-cse",
    "-disable-machine-licm",
    "-disable-machine-sink",
    // The older of two ways to follow variables, which does nothing where there are none.
    "-experimental-debug-variable-locations=false",
];

/// Options of a compilation to the instrumented object.
///
/// `silence` is the level of optimisation for who asks for none.
pub fn instrumented_compile(
    line: &CommandLine,
    unpacked: &Unpacked,
    silence: &str,
) -> Vec<OsString> {
    let mut out: Vec<OsString> = Vec::new();
    for option in line.options() {
        let name = option[0].to_string_lossy();
        // Without a position-independent executable the shadow's place may be taken; link-time
        // optimisation would leave no machine code to carry the twin.
        let dropped = drops_pic(&name) || is_lto(&name) || is_split_debug(&name);
        // The other compilation tells of dependencies: it includes nothing of ours.
        let told = is_dependency(&name) && !name.starts_with("-MJ");
        if dropped || told || is_coverage(&name) {
            continue;
        }
        out.extend(without_memory_sanitizers(option).unwrap_or_default());
    }
    let mut plugin = OsString::from("-fpass-plugin=");
    plugin.push(&unpacked.pass);
    out.push(plugin);
    out.push("-isystem".into());
    out.push(unpacked.include.clone().into());
    out.extend(
        [
            "-fno-omit-frame-pointer",
            "-Xclang",
            "-disable-O0-optnone",
            // The names of blocks tell which way out of a branch is which.
            "-fno-discard-value-names",
            // A constructor by either of its names is a function of its own: in another object they
            // may be two, and each is known by its address.
            "-Xclang",
            "-mno-constructor-aliases",
            // Two calls of `abort` that have become one are at no line that could be named.
            "-mllvm",
            "-enable-tail-merge=0",
        ]
        .map(OsString::from),
    );
    if !is_pic(line) {
        out.push("-fPIE".into());
    }
    // The pass itself says what the optimiser does.
    match level(line).unwrap_or(silence) {
        "-O0" => out.push("-O0".into()),
        level => {
            if level == "-Ofast" {
                out.push("-ffast-math".into());
            }
            out.push("-O1".into());
            for option in CODE_GENERATOR {
                out.extend(["-mllvm".into(), option.into()]);
            }
        }
    }
    if !describes_variables(line) {
        // Reports name variables.
        out.push("-g".into());
    }
    out
}

/// Options of the compilation to the plain object: the user's own, without what would write the
/// dependency files a second time.
pub fn plain_compile(line: &CommandLine, unpacked: &Unpacked) -> Vec<OsString> {
    let mut out: Vec<OsString> = Vec::new();
    for option in line.options() {
        let name = option[0].to_string_lossy();
        let written = is_dependency(&name) || is_saved(&name) || is_coverage(&name);
        if written || is_lto(&name) || is_split_debug(&name) {
            continue;
        }
        out.extend(without_fuzzer(option));
    }
    out.push("-isystem".into());
    out.push(unpacked.include.clone().into());
    if !describes_variables(line) {
        // Reports name lines. Who runs what is not optimised may want to see variables as well.
        let lines = level(line).is_some_and(|level| level != "-O0");
        out.push(if lines { "-gline-tables-only" } else { "-g" }.into());
    }
    // Warnings were shown by the other compilation.
    out.push("-w".into());
    out
}

/// What an option becomes when the instrumented program is linked; `None` drops it.
pub fn instrumented_link(option: &[OsString]) -> Option<Vec<OsString>> {
    let name = option[0].to_string_lossy();
    let dropped = drops_pic(&name)
        || is_static(&name)
        || is_lto(&name)
        || is_dependency(&name)
        || is_strip(&name);
    match dropped {
        true => None,
        false => without_memory_sanitizers(option),
    }
}

/// An option as it is, or `-fsanitize=` without what the instrumented build cannot have.
fn without_memory_sanitizers(option: &[OsString]) -> Option<Vec<OsString>> {
    let name = option[0].to_string_lossy();
    match name.strip_prefix("-fsanitize=") {
        None => Some(option.to_vec()),
        Some(list) => sanitizers::instrumented_option(list).map(|kept| vec![kept.into()]),
    }
}

/// Leaks were asked for by name, besides errors of addresses, which could find them too.
pub fn asks_for_leaks(line: &CommandLine) -> bool {
    line.options().any(|option| {
        let name = option[0].to_string_lossy();
        name.strip_prefix("-fsanitize=")
            .is_some_and(|list| list.split(',').any(|name| name == "leak"))
    })
}

/// What an option becomes when the plain program is linked.
pub fn plain_link(option: &[OsString]) -> Option<Vec<OsString>> {
    let name = option[0].to_string_lossy();
    let dropped = is_lto(&name) || is_dependency(&name) || is_strip(&name);
    (!dropped).then(|| without_fuzzer(option))
}

/// `-fsanitize=fuzzer` asks for libFuzzer, whose place is taken here: a harness gets a `main` that
/// gives it the input. Other sanitizers of the list stay.
fn without_fuzzer(option: &[OsString]) -> Vec<OsString> {
    let name = option[0].to_string_lossy();
    let Some(list) = name.strip_prefix("-fsanitize=") else {
        return option.to_vec();
    };
    let kept: Vec<&str> = list
        .split(',')
        .filter(|name| !matches!(*name, "fuzzer" | "fuzzer-no-link"))
        .collect();
    match kept.is_empty() {
        true => Vec::new(),
        false => vec![format!("-fsanitize={}", kept.join(",")).into()],
    }
}

pub fn is_static(name: &str) -> bool {
    matches!(
        name,
        "-static" | "--static" | "-static-pie" | "-no-pie" | "-nopie"
    )
}

/// Options that write `.d` files.
pub fn is_dependency(name: &str) -> bool {
    matches!(
        name,
        "-MD" | "-MMD" | "-MP" | "-MG" | "-MV" | "-MF" | "-MT" | "-MQ" | "-MJ"
    ) || ["-MF", "-MT", "-MQ", "-MJ", "-Wp,-M"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

fn drops_pic(name: &str) -> bool {
    matches!(
        name,
        "-fno-pic" | "-fno-PIC" | "-fno-pie" | "-fno-PIE" | "-mdynamic-no-pic"
    )
}

fn is_lto(name: &str) -> bool {
    name == "-flto" || name.starts_with("-flto=") || name.starts_with("-ffat-lto")
}

fn is_split_debug(name: &str) -> bool {
    name.starts_with("-gsplit-dwarf")
}

/// Options that leave files beside the object, which the other compilation does.
fn is_saved(name: &str) -> bool {
    [
        "-save-temps",
        "--save-temps",
        "-fstack-usage",
        "-ftime-trace",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
}

/// Counters of what was executed: Elsewise has its own, and every run would write the files of these.
fn is_coverage(name: &str) -> bool {
    matches!(
        name,
        "--coverage" | "-coverage" | "-ftest-coverage" | "-fprofile-arcs"
    )
}

/// A stripped program has lost the names that a finding is shown with.
fn is_strip(name: &str) -> bool {
    matches!(
        name,
        "-s" | "-Wl,-s" | "-Wl,-S" | "-Wl,--strip-all" | "-Wl,--strip-debug"
    )
}

fn is_pic(line: &CommandLine) -> bool {
    line.options().any(|option| {
        ["-fPIC", "-fpic", "-fPIE", "-fpie"]
            .iter()
            .any(|pic| option[0] == *pic)
    })
}

/// The level of optimisation that the user asks for: the last `-O` counts.
fn level(line: &CommandLine) -> Option<&str> {
    line.options()
        .filter_map(|option| option[0].to_str())
        .filter(|option| option.starts_with("-O"))
        .last()
}

/// Whether the user asks for debug information from which a debugger knows variables.
fn describes_variables(line: &CommandLine) -> bool {
    line.options()
        .map(|option| option[0].to_string_lossy())
        .filter(|name| {
            matches!(
                &**name,
                "-g" | "-g0" | "-g1" | "-g2" | "-g3" | "-ggdb" | "-ggdb3" | "-gline-tables-only"
            ) || name.starts_with("-gdwarf")
        })
        .last()
        .is_some_and(|name| !matches!(&*name, "-g0" | "-g1" | "-gline-tables-only"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> CommandLine {
        let args: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
        CommandLine::parse(&args)
    }

    fn unpacked() -> Unpacked {
        Unpacked {
            pass: "/p/pass.so".into(),
            runtime: "/p/rt.o".into(),
            models: "/p/models.a".into(),
            include: "/p/inc".into(),
            templates: "/p/templates.h".into(),
            support: "/p/support.a".into(),
            shared_runtime: "/p/rt.so".into(),
        }
    }

    fn joined(args: &[OsString]) -> String {
        let texts: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
        texts.join(" ")
    }

    #[test]
    fn the_instrumented_object_is_relocatable_and_optimised_where_the_user_asks_for_it() {
        let flags = joined(&instrumented_compile(
            &line("-c a.c -O0 -fno-pic -MD -MF a.d -fno-strict-aliasing"),
            &unpacked(),
            "-O1",
        ));
        for wanted in [
            "-fpass-plugin=/p/pass.so",
            "-O0 -g",
            "-fPIE",
            "-fno-strict-aliasing",
            "-isystem /p/inc",
        ] {
            assert!(flags.contains(wanted), "{wanted} in {flags}");
        }
        assert!(
            !flags.contains("-fno-pic") && !flags.contains("-M"),
            "{flags}"
        );
        let flags = joined(&instrumented_compile(
            &line("-c a.c -Ofast -fPIC"),
            &unpacked(),
            "-O0",
        ));
        assert!(
            flags.contains("-ffast-math -O1 -mllvm -fast-isel") && !flags.contains("-fPIE"),
            "{flags}"
        );
    }

    #[test]
    fn who_says_nothing_gets_what_the_driver_is_for() {
        for silence in ["-O0", "-O1"] {
            let flags = instrumented_compile(&line("-c a.c"), &unpacked(), silence);
            assert!(
                flags.contains(&silence.into()),
                "{silence}: {}",
                joined(&flags)
            );
        }
    }

    #[test]
    fn the_plain_object_keeps_the_users_optimisation() {
        let flags = joined(&plain_compile(
            &line("-c a.c -O0 -fno-pic -MD -MF a.d -MTx -g3 -flto=thin --coverage"),
            &unpacked(),
        ));
        assert_eq!(flags, "-O0 -fno-pic -g3 -isystem /p/inc -w");
    }

    #[test]
    fn weak_debug_information_is_made_whole() {
        for (given, plain, instrumented) in [
            ("-g0", "-g", "-g"),
            ("-g1", "-g", "-g"),
            ("", "-g", "-g"),
            ("-O2", "-gline-tables-only", "-g"),
            ("-O2 -g", "", ""),
            ("-g3", "", ""),
        ] {
            let line = line(&format!("-c a.c {given}"));
            let last = |flags: Vec<OsString>, added: &str| {
                let named = |flag: &&OsString| flag.to_string_lossy().starts_with("-g");
                let found = flags.iter().rfind(named).cloned().unwrap_or_default();
                added.is_empty() || found == added
            };
            assert!(last(plain_compile(&line, &unpacked()), plain), "{given}");
            let flags = instrumented_compile(&line, &unpacked(), "-O0");
            assert!(last(flags, instrumented), "{given}");
        }
    }

    #[test]
    fn libfuzzer_is_left_out_of_both_builds() {
        for (given, expected) in [
            ("-fsanitize=fuzzer", ""),
            ("-fsanitize=fuzzer-no-link,address", "-fsanitize=address"),
            ("-fsanitize=undefined", "-fsanitize=undefined"),
        ] {
            let kept = plain_link(&[given.into()]).unwrap();
            assert_eq!(joined(&kept), expected);
            let flags = joined(&plain_compile(
                &line(&format!("-c a.c {given}")),
                &unpacked(),
            ));
            assert!(!flags.contains("fuzzer"), "{flags}");
        }
    }

    #[test]
    fn what_the_instrumented_link_leaves_out() {
        for (option, kept) in [
            ("-static", false),
            ("-no-pie", false),
            ("-s", false),
            ("-lm", true),
            ("-pthread", true),
            ("-Wl,--gc-sections", true),
            ("-fsanitize=address", false),
            ("-fsanitize=address,undefined", true),
        ] {
            assert_eq!(
                instrumented_link(&[option.into()]).is_some(),
                kept,
                "{option}"
            );
        }
        assert!(plain_link(&["-static".into()]).is_some());
    }
}
