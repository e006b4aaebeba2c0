//! The command line of a C compiler, read as gcc and clang read it.
//!
//! Only what the driver must know is taken apart: what the command does, which arguments are
//! inputs, where the output goes, and which options take the argument after them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Options whose value is the next argument. Their joined forms (`-Idir`) are one argument and
/// need no table.
const SEPARATE: &[&str] = &[
    "-o",
    "-x",
    "-I",
    "-L",
    "-D",
    "-U",
    "-l",
    "-F",
    "-A",
    "-B",
    "-T",
    "-u",
    "-z",
    "-e",
    "-b",
    "-G",
    "-h",
    "-include",
    "-include-pch",
    "-imacros",
    "-isystem",
    "-isystem-after",
    "-cxx-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-iframework",
    "-isysroot",
    "-imultilib",
    "-ivfsoverlay",
    "-imultiarch",
    "--sysroot",
    "--gcc-toolchain",
    "--include-directory",
    "--define-macro",
    "--undefine-macro",
    "--library-directory",
    "--output",
    "--language",
    "--entry",
    "--config",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xclang",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "-Xanalyzer",
    "-Xarch_host",
    "-Xarch_device",
    "-Xopenmp-target",
    "-mllvm",
    "-mlinker-version",
    "-arch",
    "-target",
    "--target",
    "--param",
    "-rpath",
    "-aux-info",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-specs",
    "-wrapper",
    "-working-directory",
    "-serialize-diagnostics",
    "--serialize-diagnostics",
    "-framework",
    "-undefined",
    "-current_version",
    "-compatibility_version",
    "-install_name",
];

/// Options that make the command something else than building an object or a program.
const ELSE: &[&str] = &[
    "-E",
    "-S",
    "-M",
    "-MM",
    "-fsyntax-only",
    "-emit-llvm",
    "-emit-ast",
    "--analyze",
    "-###",
    "--preprocess",
    "--assemble",
    "--precompile",
    "--version",
    "--help",
    "-help",
    "--help-hidden",
    "--target-help",
    "-dumpversion",
    "-dumpfullversion",
    "-dumpmachine",
    "-dumpspecs",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Anything that clang makes LLVM code of.
    Source,
    /// Assembly: nothing to instrument.
    Assembly,
    /// Nothing that this driver knows (a header to precompile, Objective-C …).
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// An option with the argument that belongs to it, if any.
    Option(Vec<OsString>),
    /// Something to compile; `x` is the `-x` in force.
    Source {
        path: OsString,
        x: Option<OsString>,
        language: Language,
    },
    /// An object, an archive, a shared library, a linker script.
    Linkable(OsString),
}

/// What the command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing of ours: clang does it alone.
    Pass,
    /// `-c`.
    Compile,
    /// An executable or, by its flags, a shared or relocatable object.
    Link,
}

#[derive(Clone, Debug)]
pub struct CommandLine {
    pub action: Action,
    pub args: Vec<Arg>,
    pub output: Option<OsString>,
}

impl CommandLine {
    pub fn parse(args: &[OsString]) -> CommandLine {
        let mut parsed = Vec::new();
        let mut output = None;
        let mut x: Option<OsString> = None;
        let mut compile = false;
        let mut pass = false;
        let mut inputs = 0;
        let mut only_inputs = false;
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let bytes = arg.as_bytes();
            if only_inputs || bytes == b"-" || !bytes.starts_with(b"-") {
                inputs += 1;
                // The compiler's own input cannot be read twice.
                pass |= bytes == b"-";
                parsed.push(input(arg, x.as_ref()));
                continue;
            }
            let text = arg.to_string_lossy();
            let separate = SEPARATE.contains(&&*text);
            let value = if separate { rest.next() } else { None };
            match &*text {
                "--" => only_inputs = true,
                "-c" | "--compile" => compile = true,
                "-o" | "--output" => {
                    output = value.cloned();
                    // Clang says what is wrong with that.
                    pass |= value.is_none_or(|value| value.is_empty());
                }
                "-x" | "--language" => x = language_option(value.map(OsString::as_os_str)),
                _ if text.starts_with("-o") && !is_long_o(&text) => {
                    output = Some(OsStr::from_bytes(&bytes[2..]).to_os_string());
                }
                _ if text.starts_with("--output=") => {
                    output = Some(OsStr::from_bytes(&bytes[9..]).to_os_string());
                }
                _ if text.starts_with("-x") => {
                    x = language_option(Some(OsStr::from_bytes(&bytes[2..])));
                }
                _ if text.starts_with("-Wp,-MD,") || text.starts_with("-Wp,-MMD,") => {
                    // As clang reads it.
                    let mut words = text[4..].splitn(2, ',').map(OsString::from);
                    parsed.push(Arg::Option(words.by_ref().take(1).collect()));
                    parsed.push(Arg::Option(
                        [OsString::from("-MF")].into_iter().chain(words).collect(),
                    ));
                }
                _ => {
                    pass |= ELSE.contains(&&*text)
                        || text.starts_with("-print-")
                        || text.starts_with("--print-")
                        || text.starts_with("--help=");
                    let mut option = vec![arg.clone()];
                    option.extend(value.cloned());
                    parsed.push(Arg::Option(option));
                }
            }
        }
        let other = parsed.iter().any(|arg| {
            matches!(
                arg,
                Arg::Source {
                    language: Language::Other,
                    ..
                }
            )
        });
        let probe = parsed.iter().any(|arg| match arg {
            Arg::Source { path, .. } | Arg::Linkable(path) => is_probe(path),
            Arg::Option(_) => false,
        });
        let nowhere = output
            .as_ref()
            .is_some_and(|path| path == "/dev/null" || path == "-");
        let action = if pass || other || probe || nowhere || inputs == 0 {
            Action::Pass
        } else if compile {
            Action::Compile
        } else {
            Action::Link
        };
        CommandLine {
            action,
            args: parsed,
            output,
        }
    }

    pub fn options(&self) -> impl Iterator<Item = &[OsString]> {
        self.args.iter().filter_map(|arg| match arg {
            Arg::Option(option) => Some(option.as_slice()),
            _ => None,
        })
    }

    pub fn sources(&self) -> impl Iterator<Item = Source<'_>> {
        self.args.iter().filter_map(|arg| match arg {
            Arg::Source { path, x, language } => Some(Source {
                path,
                x: x.as_deref(),
                language: *language,
            }),
            _ => None,
        })
    }

    pub fn has(&self, option: &str) -> bool {
        self.options().any(|given| given[0] == option)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub path: &'a OsStr,
    pub x: Option<&'a OsStr>,
    pub language: Language,
}

fn language_option(value: Option<&OsStr>) -> Option<OsString> {
    value
        .filter(|value| *value != "none")
        .map(OsStr::to_os_string)
}

/// Options that begin with `-o` and are not an output.
fn is_long_o(text: &str) -> bool {
    text.starts_with("-object") || text.starts_with("-openmp")
}

/// What autoconf compiles to learn about the compiler: nothing that anyone explores.
fn is_probe(path: &OsStr) -> bool {
    Path::new(path)
        .file_stem()
        .is_some_and(|stem| stem == "conftest")
}

fn input(path: &OsString, x: Option<&OsString>) -> Arg {
    let language = match x {
        Some(x) => Some(match x.to_string_lossy().as_ref() {
            "c" | "c++" | "cpp-output" | "c++-cpp-output" => Language::Source,
            "assembler" | "assembler-with-cpp" => Language::Assembly,
            _ => Language::Other,
        }),
        None => Path::new(path)
            .extension()
            .and_then(|extension| match extension.to_str()? {
                "c" | "i" | "cc" | "cp" | "cpp" | "cxx" | "c++" | "C" | "CPP" | "ii" => {
                    Some(Language::Source)
                }
                "s" | "S" | "sx" | "asm" => Some(Language::Assembly),
                "h" | "hh" | "hpp" | "hxx" | "m" | "mm" | "M" | "cu" | "ll" | "bc" | "f"
                | "f90" => Some(Language::Other),
                _ => None,
            }),
    };
    match language {
        Some(language) => Arg::Source {
            path: path.clone(),
            x: x.cloned(),
            language,
        },
        None => Arg::Linkable(path.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> CommandLine {
        let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        CommandLine::parse(&args)
    }

    #[test]
    fn what_a_command_does() {
        for (line, action) in [
            ("-c a.c", Action::Compile),
            ("-c a.c -o out/a.o", Action::Compile),
            ("a.c -o prog", Action::Link),
            ("a.o b.o -lm", Action::Link),
            ("a.c", Action::Link),
            ("-shared a.o -o liba.so", Action::Link),
            ("--version", Action::Pass),
            ("-v", Action::Pass),
            ("", Action::Pass),
            ("-E a.c", Action::Pass),
            ("-S a.c -o -", Action::Pass),
            ("-M a.c", Action::Pass),
            ("-MD -c a.c", Action::Compile),
            ("-print-search-dirs", Action::Pass),
            ("-dumpmachine", Action::Pass),
            ("-c conftest.c", Action::Pass),
            ("-o conftest conftest.c", Action::Pass),
            ("-c a.c -o /dev/null", Action::Pass),
            ("-x c -c -", Action::Pass),
            ("-fsyntax-only a.c", Action::Pass),
            ("-c a.m", Action::Pass),
            ("-Wl,--version a.o", Action::Link),
            ("-include -E a.c -c", Action::Compile),
            ("-MF --version -MD -c a.c", Action::Compile),
            ("-x c-header a.h", Action::Pass),
            ("-c -- -odd.c", Action::Compile),
            ("--config x.cfg -c a.c", Action::Compile),
            ("-c a.c -o", Action::Pass),
        ] {
            assert_eq!(parse(line).action, action, "{line}");
        }
    }

    #[test]
    fn inputs_outputs_and_arguments_of_options() {
        for (line, output, sources, linkables) in [
            ("-c a.c", None, &["a.c"][..], &[][..]),
            ("-c a.c -o b.o", Some("b.o"), &["a.c"], &[]),
            ("-c a.c -ob.o", Some("b.o"), &["a.c"], &[]),
            (
                "a.c b.o libx.a -o p",
                Some("p"),
                &["a.c"],
                &["b.o", "libx.a"],
            ),
            ("-I inc.c -D x.c -c a.c", None, &["a.c"], &[]),
            ("-l m.c -L l.c a.o", None, &[], &["a.o"]),
            ("-Xlinker x.c -T s.c a.o", None, &[], &["a.o"]),
            ("-isystem d.c -include f.c -c a.c", None, &["a.c"], &[]),
            ("--param x.c -c a.c", None, &["a.c"], &[]),
            ("-c -x c a.weird", None, &["a.weird"], &[]),
            ("-x c a.weird -x none b.o", None, &["a.weird"], &["b.o"]),
            ("-xc a.weird", None, &["a.weird"], &[]),
            ("a.S b.s", None, &["a.S", "b.s"], &[]),
            ("--output=p a.c", Some("p"), &["a.c"], &[]),
            ("-target x.c -c a.c", None, &["a.c"], &[]),
            ("a.so.1 script.ld", None, &[], &["a.so.1", "script.ld"]),
            ("-o", None, &[], &[]),
        ] {
            let parsed = parse(line);
            assert_eq!(parsed.output, output.map(OsString::from), "{line}");
            let found: Vec<&OsStr> = parsed.sources().map(|source| source.path).collect();
            assert_eq!(found, sources, "{line}");
            let found: Vec<&OsString> = parsed
                .args
                .iter()
                .filter_map(|arg| match arg {
                    Arg::Linkable(path) => Some(path),
                    _ => None,
                })
                .collect();
            assert_eq!(found, linkables, "{line}");
        }
    }

    #[test]
    fn an_option_keeps_its_argument() {
        let parsed = parse("-I inc -O2 -MF a.d -c a.c -Wp,-MMD,b.d");
        let options: Vec<Vec<&str>> = parsed
            .options()
            .map(|option| option.iter().map(|s| s.to_str().unwrap()).collect())
            .collect();
        assert_eq!(
            options,
            [
                vec!["-I", "inc"],
                vec!["-O2"],
                vec!["-MF", "a.d"],
                vec!["-MMD"],
                vec!["-MF", "b.d"]
            ]
        );
    }
}
