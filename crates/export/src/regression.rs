//! A finding of a program as a regression case: a script for a shell that runs the program on the input and fails while
//! the bug is there. It needs a compiler and a shell, and nothing of ours where the program can show the failure alone.

use crate::File;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The script's name in the folder of a case.
pub const SCRIPT: &str = "run.sh";

/// A case that is kept.
pub struct RegressionCase<'a> {
    /// What it is, in one line.
    pub title: &'a str,
    /// The path from the case's folder to that of the project.
    pub root: &'a str,
    /// None where the program alone cannot show the failure.
    pub run: Option<&'a PlainRun>,
}

/// How a program is run alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainRun {
    pub program: PlainProgram,
    pub args: Vec<PlainWord>,
    pub env: Vec<(String, PlainWord)>,
    /// The input that is standard input, or the file that words name.
    pub main: String,
    /// All inputs, as the script needs them.
    pub inputs: BTreeMap<String, Vec<u8>>,
    /// It has not ended after so many seconds.
    pub seconds: u64,
    /// Where it runs, in the project; otherwise in an empty folder.
    pub workdir: Option<String>,
    /// What sanitizers are told, where it is built with some.
    pub sanitizers: Option<String>,
    /// The exit code of a sanitizer that has something to say.
    pub reported: i32,
}

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlainProgram {
    /// C and C++ files with the flags to compile them, seen from the project.
    Sources {
        files: Vec<PlainSource>,
        flags: Vec<String>,
    },
    /// What the project's build makes.
    Executable(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainSource {
    pub name: String,
    pub is_cxx: bool,
}

/// An argument, or the value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainWord {
    /// In it, @@ is the file of the main input.
    pub text: String,
    /// The input that comes after it.
    pub input: Option<String>,
}

impl PlainRun {
    fn names_file(&self) -> bool {
        let values = self.env.iter().map(|(_, word)| word);
        let mut words = self.args.iter().chain(values);
        words.any(|word| word.text.contains("@@"))
    }
}

impl RegressionCase<'_> {
    pub fn script(&self) -> File {
        let mut out = String::from("#!/bin/sh\n");
        let title: String = self.title.chars().filter(|c| !c.is_control()).collect();
        let _ = writeln!(out, "# {title}");
        out.push_str(
            "# Written by `elsewise keep`. Exit code 0 if the program handles the input in this folder, 1 while it\n\
             # fails, 77 if that cannot be told here, 99 if the program cannot be built or started.\n",
        );
        match self.run {
            Some(run) => self.write_plain(&mut out, run),
            None => self.write_check(&mut out),
        }
        File {
            name: SCRIPT.into(),
            text: out,
        }
    }

    fn write_place(&self, out: &mut String) {
        out.push_str("here=$(cd \"$(dirname \"$0\")\" && pwd) || exit 99\n");
        let _ = writeln!(
            out,
            "root=$(cd \"$here\"/{} && pwd) || exit 99",
            word(self.root)
        );
    }

    /// Only Elsewise can bring the failure about, so the script asks it.
    fn write_check(&self, out: &mut String) {
        self.write_place(out);
        out.push_str(
            "command -v elsewise >/dev/null || {\n    \
                 echo \"$0: elsewise is needed for this case, and is not installed\" >&2\n    \
                 exit 77\n\
             }\n\
             cd \"$root\" || exit 99\n\
             elsewise check --trust \"$here\"\n\
             case $? in\n\
             0) exit 0 ;;\n\
             2) exit 1 ;;\n\
             *) exit 99 ;;\n\
             esac\n",
        );
    }

    fn write_plain(&self, out: &mut String, run: &PlainRun) {
        let argument = match run.program {
            PlainProgram::Sources { .. } => {
                "# Its argument is a program to run instead of one built from the sources with $CC or $CXX.\n"
            }
            PlainProgram::Executable(_) => "# Its argument is the program to run.\n",
        };
        out.push_str(argument);
        self.write_place(out);
        out.push_str(
            "work=$(mktemp -d) || exit 99\n\
             trap 'rm -rf \"$work\"' EXIT\n\
             trap 'exit 99' HUP INT TERM\n\
             \n\
             if [ $# -gt 0 ]; then\n    \
                 program=$(cd \"$(dirname \"$1\")\" && pwd)/$(basename \"$1\")\n\
             else\n",
        );
        write_program(out, &run.program);
        out.push_str(
            "fi\n\
             [ -x \"$program\" ] || {\n    \
                 echo \"$0: there is no $program: build it, or give the program as an argument\" >&2\n    \
                 exit 99\n\
             }\n\n",
        );
        if let Some(options) = &run.sanitizers {
            let _ = writeln!(out, "options={}", word(options));
            for name in ["ASAN", "UBSAN", "LSAN", "MSAN", "TSAN"] {
                let _ = writeln!(out, "export {name}_OPTIONS=\"$options\"");
            }
        }
        let file = run.names_file();
        if file {
            let _ = writeln!(
                out,
                "cp \"$here\"/{} \"$work\"/input || exit 99",
                word(&run.main)
            );
        }
        let mut inputs = 0;
        let mut value = |out: &mut String, said: &PlainWord| {
            let mut text = with_file(&said.text);
            if let Some(input) = &said.input {
                inputs += 1;
                // The letter keeps newlines at the end.
                let _ = writeln!(
                    out,
                    "input{inputs}=$(cat \"$here\"/{} && echo x) || exit 99\ninput{inputs}=${{input{inputs}%x}}",
                    word(input)
                );
                let _ = write!(text, "\"$input{inputs}\"");
            }
            text
        };
        let mut exports = String::new();
        for (name, said) in &run.env {
            let text = value(out, said);
            let _ = writeln!(exports, "export {name}={text}");
        }
        let words: Vec<String> = run.args.iter().map(|said| value(out, said)).collect();
        out.push_str(&exports);
        match &run.workdir {
            Some(folder) => {
                let _ = writeln!(out, "cd \"$root\"/{} || exit 99", word(folder));
            }
            None => out.push_str("mkdir \"$work\"/run && cd \"$work\"/run || exit 99\n"),
        }
        out.push_str("ulimit -c 0\n");
        let stdin = match file {
            true => "/dev/null".to_string(),
            false => format!("\"$here\"/{}", word(&run.main)),
        };
        let _ = write!(out, "timeout -s KILL {} \"$program\"", run.seconds.max(1));
        for word in words {
            let _ = write!(out, " {word}");
        }
        let _ = writeln!(out, " <{stdin}\nstatus=$?");
        let reported = match run.sanitizers {
            Some(_) => format!("{} | ", run.reported),
            None => String::new(),
        };
        let _ = write!(
            out,
            "case $status in\n\
             # Ended by a signal, by a sanitizer, or because it did not end.\n\
             {reported}129 | 13[0-9] | 14[0-9] | 15[0-9])\n    \
                 echo \"$0: the program fails (exit status $status)\" >&2\n    \
                 exit 1\n    \
                 ;;\n\
             125 | 126 | 127) exit 99 ;;\n\
             esac\n\
             exit 0\n"
        );
    }
}

fn write_program(out: &mut String, program: &PlainProgram) {
    match program {
        PlainProgram::Executable(path) => {
            let path = match path.starts_with('/') {
                true => word(path),
                false => format!("\"$root\"/{}", word(path)),
            };
            let _ = writeln!(out, "    program={path}");
        }
        PlainProgram::Sources { files, flags } => {
            let cxx = files.iter().any(|file| file.is_cxx);
            let mixed = cxx && files.iter().any(|file| !file.is_cxx);
            let compiler = if cxx { "${CXX:-c++}" } else { "${CC:-cc}" };
            let _ = write!(
                out,
                "    program=$work/program\n    (cd \"$root\" && {compiler} -g"
            );
            for file in files {
                if mixed {
                    let _ = write!(out, " -x {}", if file.is_cxx { "c++" } else { "c" });
                }
                let _ = write!(out, " {}", file_word(&file.name));
            }
            if mixed {
                out.push_str(" -x none");
            }
            for flag in flags {
                let _ = write!(out, " {}", word(flag));
            }
            out.push_str(" -o \"$program\") || exit 99\n");
        }
    }
}

/// A word in which @@ is the file of the main input.
fn with_file(text: &str) -> String {
    let mut parts = text.split("@@");
    let mut out = String::new();
    if let Some(first) = parts.next() {
        // Nothing before an input is nothing.
        if !first.is_empty() {
            out.push_str(&word(first));
        }
    }
    for part in parts {
        out.push_str("\"$work\"/input");
        if !part.is_empty() {
            out.push_str(&word(part));
        }
    }
    if out.is_empty() { "''".into() } else { out }
}

/// The name of a file, which is no flag.
fn file_word(name: &str) -> String {
    match name.starts_with('-') {
        true => word(&format!("./{name}")),
        false => word(name),
    }
}

/// `text` as one word of a shell.
pub fn word(text: &str) -> String {
    let safe = |char: char| char.is_ascii_alphanumeric() || "_-./+=:,@%".contains(char);
    match !text.is_empty() && text.chars().all(safe) {
        true => text.to_string(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> PlainWord {
        PlainWord {
            text: text.into(),
            input: None,
        }
    }

    #[test]
    fn scripts() {
        let sources = PlainRun {
            program: PlainProgram::Sources {
                files: vec![
                    PlainSource {
                        name: "src/a b.c".into(),
                        is_cxx: false,
                    },
                    PlainSource {
                        name: "-b.cc".into(),
                        is_cxx: true,
                    },
                ],
                flags: vec!["-DNAME=\"it's\"".into(), "-fsanitize=address".into()],
            },
            args: vec![plain("-f"), plain("x=@@:@@"), plain("")],
            env: vec![(
                "LEVEL".into(),
                PlainWord {
                    text: "l=".into(),
                    input: Some("env-LEVEL".into()),
                },
            )],
            main: "file".into(),
            inputs: BTreeMap::new(),
            seconds: 60,
            workdir: None,
            sanitizers: Some("exitcode=86".into()),
            reported: 86,
        };
        let built = PlainRun {
            program: PlainProgram::Executable("build/readtags".into()),
            args: vec![PlainWord {
                text: String::new(),
                input: Some("arg1".into()),
            }],
            env: Vec::new(),
            main: "stdin".into(),
            seconds: 6,
            workdir: Some("data".into()),
            sanitizers: None,
            ..sources.clone()
        };
        for (name, run) in [
            ("sources", Some(&sources)),
            ("built", Some(&built)),
            ("asking", None),
        ] {
            let case = RegressionCase {
                title: "finding 1 of a.c: segv at a.c:3",
                root: "../../..",
                run,
            };
            insta::assert_snapshot!(format!("script_{name}"), case.script().text);
        }
    }
}
