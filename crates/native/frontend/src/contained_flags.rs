//! What containment does to the subject's arguments, and what the compiler's flags could do to the user.

use elsewise_frontend::contain::Contained;
use std::path::Path;

/// Can options do no more than change how a file is compiled? What loads code into the compiler, starts other
/// programs or writes other files is none of these.
pub fn only_compiles(flags: &str) -> bool {
    const HARMLESS: [&str; 16] = [
        "-D",
        "-U",
        "-I",
        "-L",
        "-l",
        "-O",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-include",
        "-std=",
        "-pedantic",
        "-ansi",
        "-pthread",
        "-ggdb",
        "-gdwarf",
    ];
    let harmless = |word: &String| {
        let word = word.as_str();
        let comma = ["-Wl,", "-Wa,", "-Wp,"];
        match word.get(..2) {
            _ if !word.starts_with('-') => !word.starts_with('@'),
            Some("-W") => !comma.iter().any(|start| word.starts_with(start)),
            Some("-f") => word.starts_with("-fsanitize=") || !word.contains('='),
            Some("-m") => !word.starts_with("-mllvm"),
            _ if ["-g", "-g0", "-g1", "-g2", "-g3", "-w"].contains(&word) => true,
            _ => HARMLESS.iter().any(|start| word.starts_with(start)),
        }
    };
    shlex::split(flags).is_some_and(|words| words.iter().all(harmless))
}

/// The subject's arguments, with names of files made absolute where it does not run in the working
/// directory: a word, or what follows the `=` of an option, that names a file here. A word without a
/// slash that names a directory is taken for a word.
pub fn arguments(given: &[String], contained: &Contained) -> Vec<String> {
    let elsewhere = contained.on && contained.workdir.is_none();
    given
        .iter()
        .map(|argument| match elsewhere.then(|| absolute(argument)) {
            Some(Some(absolute)) => absolute,
            _ => argument.clone(),
        })
        .collect()
}

fn absolute(argument: &str) -> Option<String> {
    if let Some((option, value)) = argument.split_once('=')
        && option.starts_with('-')
    {
        return Some(format!("{option}={}", absolute(value)?));
    }
    let path = Path::new(argument);
    let names_file = path.is_relative()
        && !argument.starts_with('-')
        && (path.is_file() || argument.contains('/') && path.exists());
    if !names_file {
        return None;
    }
    let absolute = std::path::absolute(path).ok()?;
    absolute.to_str().map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Contained {
        Contained::default()
    }

    #[test]
    fn names_of_files_are_made_absolute() {
        // Tests run in the folder of their package.
        let here = std::env::current_dir().unwrap().display().to_string();
        let given = |words: &[&str]| {
            words
                .iter()
                .map(|word| word.to_string())
                .collect::<Vec<_>>()
        };
        let words = given(&[
            "-f",
            "Cargo.toml",
            "--in=src/lib.rs",
            "src",
            "src/",
            "no-file",
            "",
        ]);
        let expected = given(&[
            "-f",
            &format!("{here}/Cargo.toml"),
            &format!("--in={here}/src/lib.rs"),
            "src",
            &format!("{here}/src/"),
            "no-file",
            "",
        ]);
        assert_eq!(arguments(&words, &own()), expected);
        let mut inside = own();
        inside.workdir = Some("/".into());
        assert_eq!(arguments(&words, &inside), words);
        let mut free = own();
        free.on = false;
        assert_eq!(arguments(&words, &free), words);
    }

    #[test]
    fn flags_that_do_more_than_compile_are_known() {
        for flags in [
            "-DX=1 -I ../include -O2 -g -Wall -fno-strict-aliasing -std=c11 -lm",
            "-fsanitize=address -march=native -isystem vendor -w",
            "",
        ] {
            assert!(only_compiles(flags), "{flags}");
        }
        for flags in [
            "-fplugin=evil.so",
            "-O2 -fpass-plugin=evil.so",
            "-Xclang -load -Xclang evil.so",
            "-B evil",
            "-Wl,--dynamic-linker=x",
            "-mllvm -load=evil.so",
            "--config=evil.cfg",
            "-fuse-ld=./evil",
            "-o ../.profile",
            "-MF x",
            "-gcc-toolchain evil",
            "@evil",
            "'",
        ] {
            assert!(!only_compiles(flags), "{flags}");
        }
    }
}
