//! Arguments and environment of a subject, and which parts of them are inputs.
//!
//! `@@` in an argument or in the value of a variable stands for the path of a file that holds the
//! main input, which is standard input otherwise. `@arg` or `@arg:N` at the end of either is an
//! input of its own, of at most N bytes: a case keeps it as `arg1`, after the argument's position,
//! or as `env-NAME`.

use crate::streams::STDIN;
use elsewise_driver::NativeError;
use elsewise_driver::names;
use elsewise_explore::Case;
use elsewise_wire as wire;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Key of the main input when it is a file.
pub const FILE: &str = "file";
const FILE_MARK: &[u8] = b"@@";
const INPUT_MARK: &[u8] = b"@arg";
/// Bytes of an input that says no number.
const DEFAULT_SIZE: u64 = 8;
/// More makes no sensible argument.
const MAX_SIZE: u64 = 4096;
/// What stands where an input will be until a run begins.
const PLACEHOLDER: u8 = b'?';

/// An argument, or the value of a variable.
#[derive(Clone, Debug)]
struct Word {
    /// All of it, or what stands before the input.
    text: Vec<u8>,
    input: Option<Input>,
}

/// Variables that decide what functions of the C library do: of time, language, and files.
const BY_LIBRARY: [&[u8]; 16] = [
    b"TZ",
    b"TZDIR",
    b"DATEMSK",
    b"LANG",
    b"LANGUAGE",
    b"LOCPATH",
    b"NLSPATH",
    b"GCONV_PATH",
    b"PATH",
    b"TMPDIR",
    b"HOSTALIASES",
    b"RES_OPTIONS",
    b"POSIXLY_CORRECT",
    b"MALLOC_ARENA_MAX",
    b"GLIBC_TUNABLES",
    b"OUTPUT_CHARSET",
];

/// The part of a word that is an input.
#[derive(Clone, Debug)]
struct Input {
    name: Vec<u8>,
    key: String,
    size: u64,
}

/// An argument or variable that is an input, as the runtime is told.
#[derive(Clone, Debug)]
pub(crate) struct SurroundingInput {
    pub name: Vec<u8>,
    /// 0 for a variable.
    pub index: u32,
    pub before: u32,
    pub size: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    args: Vec<Word>,
    env: Vec<(OsString, Word)>,
}

/// Arguments and variables of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ready {
    pub args: Vec<OsString>,
    pub env: Vec<(OsString, OsString)>,
}

impl Surroundings {
    pub fn new(
        args: &[OsString],
        env: &[(OsString, OsString)],
    ) -> Result<Surroundings, NativeError> {
        let args: Vec<Word> = args
            .iter()
            .enumerate()
            .map(|(index, arg)| Word::new(arg, || format!("arg{}", index + 1).into_bytes()))
            .collect::<Result<_, _>>()?;
        let mut variables = Vec::new();
        for (name, value) in env {
            let stream = || [wire::ENVIRONMENT_PREFIX, name.as_bytes()].concat();
            variables.push((name.clone(), Word::new(value, stream)?));
        }
        let surroundings = Surroundings {
            args,
            env: variables,
        };
        let inputs = surroundings.given().len();
        if inputs > wire::MAX_GIVEN {
            return Err(NativeError::Usage(format!(
                "{inputs} arguments and variables are inputs, {} can be: leave some out",
                wire::MAX_GIVEN
            )));
        }
        Ok(surroundings)
    }

    fn words(&self) -> impl Iterator<Item = (u32, &Word)> {
        let args = self.args.iter().enumerate();
        args.map(|(index, word)| (index as u32 + 1, word))
            .chain(self.env.iter().map(|(_, word)| (0, word)))
    }

    /// Is the main input a file that the arguments or variables name?
    pub fn names_file(&self) -> bool {
        self.words().any(|(_, word)| find(&word.text).is_some())
    }

    /// Key of the main input.
    pub fn main_key(&self) -> &'static str {
        if self.names_file() { FILE } else { STDIN }
    }

    pub(crate) fn given(&self) -> Vec<SurroundingInput> {
        self.words()
            .filter_map(|(index, word)| {
                let input = word.input.as_ref()?;
                Some(SurroundingInput {
                    name: input.name.clone(),
                    index,
                    before: word.text.len() as u32,
                    size: input.size,
                })
            })
            .collect()
    }

    /// Keys and greatest sizes of the inputs among arguments and variables.
    pub fn inputs(&self) -> Vec<(String, u64)> {
        self.words()
            .filter_map(|(_, word)| word.input.as_ref())
            .map(|input| (input.key.clone(), input.size))
            .collect()
    }

    /// Arguments, each as its text and the key of the input that comes after it.
    pub fn arguments_in_parts(&self) -> impl Iterator<Item = (&[u8], Option<&str>)> {
        self.args.iter().map(Word::parts)
    }

    /// Variables in the same way.
    pub fn variables_in_parts(&self) -> impl Iterator<Item = (&OsStr, &[u8], Option<&str>)> {
        self.env.iter().map(|(name, word)| {
            let (text, input) = word.parts();
            (name.as_os_str(), text, input)
        })
    }

    /// Is an input a variable that the C library reads by itself, as its own functions need it?
    pub(crate) fn library_reads(&self) -> bool {
        let inputs = self.env.iter().filter(|(_, word)| word.input.is_some());
        inputs.into_iter().any(|(name, _)| {
            let name = name.as_bytes();
            BY_LIBRARY.contains(&name) || name.starts_with(b"LC_") || name.starts_with(b"LD_")
        })
    }

    /// Arguments as `main` has them, the program's name first; `None` where the path of a file that is made
    /// for each run is among them, or a variable is an input.
    pub(crate) fn arguments(
        &self,
        program: &Path,
    ) -> Option<Vec<(Vec<u8>, Option<SurroundingInput>)>> {
        let given = self.given();
        if self.names_file() || given.iter().any(|given| given.index == 0) {
            return None;
        }
        let name = (program.as_os_str().as_bytes().to_vec(), None);
        let rest = self.for_server(None).args.into_iter().zip(1..);
        let rest = rest.map(|(text, index)| {
            let given = given.iter().find(|given| given.index == index);
            (text.into_vec(), given.cloned())
        });
        Some([name].into_iter().chain(rest).collect())
    }

    /// Keys of all inputs that a run has from its start, as the plain program is told.
    pub(crate) fn keys(&self) -> String {
        let mut keys = self.main_key().to_string();
        for (key, _) in self.inputs() {
            keys.push(',');
            keys.push_str(&key);
        }
        keys
    }

    /// For the fork server: placeholders where inputs will be.
    pub(crate) fn for_server(&self, file: Option<&Path>) -> Ready {
        self.ready(file, |input| vec![PLACEHOLDER; input.size as usize])
    }

    /// For the uninstrumented program: a case's bytes, up to the first NUL.
    pub(crate) fn for_case(&self, case: &Case, file: Option<&Path>) -> Ready {
        self.ready(file, |input| {
            let bytes = case.inputs.get(&input.key).map_or(&[][..], Vec::as_slice);
            let bytes = &bytes[..bytes.len().min(input.size as usize)];
            let end = bytes.iter().position(|byte| *byte == 0);
            bytes[..end.unwrap_or(bytes.len())].to_vec()
        })
    }

    fn ready(&self, file: Option<&Path>, bytes: impl Fn(&Input) -> Vec<u8>) -> Ready {
        let word = |word: &Word| {
            let mut text = match file {
                Some(file) => replace(&word.text, file.as_os_str().as_bytes()),
                None => word.text.clone(),
            };
            if let Some(input) = &word.input {
                text.extend(bytes(input));
            }
            OsString::from_vec(text)
        };
        Ready {
            args: self.args.iter().map(word).collect(),
            env: self
                .env
                .iter()
                .map(|(name, value)| (name.clone(), word(value)))
                .collect(),
        }
    }
}

impl Word {
    fn parts(&self) -> (&[u8], Option<&str>) {
        let input = self.input.as_ref().map(|input| input.key.as_str());
        (&self.text, input)
    }

    fn new(text: &OsStr, name: impl Fn() -> Vec<u8>) -> Result<Word, NativeError> {
        let bytes = text.as_bytes();
        let Some((before, size)) = split_input(bytes) else {
            return Ok(Word {
                text: bytes.to_vec(),
                input: None,
            });
        };
        let shown = text.to_string_lossy();
        if size == 0 || size > MAX_SIZE {
            return Err(NativeError::Usage(format!(
                "`{shown}`: an input of {size} bytes: write @arg:N with a number from 1 to \
                 {MAX_SIZE}"
            )));
        }
        if find(before).is_some() {
            return Err(NativeError::Usage(format!(
                "`{shown}`: @@ and @arg cannot stand in one word: give them one each"
            )));
        }
        let name = name();
        if name.len() >= wire::NAME_BYTES {
            let most = wire::NAME_BYTES - 1 - wire::ENVIRONMENT_PREFIX.len();
            return Err(NativeError::Usage(format!(
                "a variable that is an input has a name of at most {most} bytes: give it another"
            )));
        }
        Ok(Word {
            text: before.to_vec(),
            input: Some(Input {
                key: names::key(&name, 0),
                name,
                size,
            }),
        })
    }
}

/// What stands before `@arg` or `@arg:N` at the end of a word, and N.
fn split_input(word: &[u8]) -> Option<(&[u8], u64)> {
    let at = word
        .windows(INPUT_MARK.len())
        .rposition(|window| window == INPUT_MARK)?;
    let size = match &word[at + INPUT_MARK.len()..] {
        [] => DEFAULT_SIZE,
        [b':', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
            // Digits only; too many of them are too large a number.
            std::str::from_utf8(digits)
                .ok()?
                .parse()
                .unwrap_or(u64::MAX)
        }
        _ => return None,
    };
    Some((&word[..at], size))
}

fn find(text: &[u8]) -> Option<usize> {
    text.windows(FILE_MARK.len())
        .position(|window| window == FILE_MARK)
}

fn replace(text: &[u8], by: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = find(rest) {
        out.extend(&rest[..at]);
        out.extend(by);
        rest = &rest[at + FILE_MARK.len()..];
    }
    out.extend(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surroundings(args: &[&str], env: &[(&str, &str)]) -> Result<Surroundings, NativeError> {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let env: Vec<(OsString, OsString)> = env
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        Surroundings::new(&args, &env)
    }

    #[test]
    fn inputs_among_arguments_and_variables() {
        let found = surroundings(
            &["-n", "--level=@arg:3", "@arg", "user@argentina.org"],
            &[("HOME", "/tmp"), ("LEVEL", "@arg:2")],
        )
        .unwrap();
        assert_eq!(found.main_key(), "stdin");
        let inputs = found.inputs();
        let expected = [("arg2", 3), ("arg3", 8), ("env-LEVEL", 2)];
        assert_eq!(inputs, expected.map(|(key, size)| (key.to_string(), size)));
        assert_eq!(found.keys(), "stdin,arg2,arg3,env-LEVEL");
        let server = found.for_server(None);
        assert_eq!(
            server.args,
            ["-n", "--level=???", "????????", "user@argentina.org"]
        );
        let mut case = Case::default();
        case.inputs.insert("arg2".into(), b"9\0x".to_vec());
        case.inputs.insert("env-LEVEL".into(), b"abcd".to_vec());
        let ready = found.for_case(&case, None);
        assert_eq!(ready.args[1..3], ["--level=9", ""]);
        assert_eq!(ready.env[1], ("LEVEL".into(), "ab".into()));
    }

    #[test]
    fn a_file_may_be_named_anywhere() {
        let found = surroundings(&["-f", "@@", "--also=@@:@@"], &[]).unwrap();
        assert_eq!(found.main_key(), "file");
        let ready = found.for_server(Some(Path::new("/d/input")));
        assert_eq!(ready.args, ["-f", "/d/input", "--also=/d/input:/d/input"]);
    }

    #[test]
    fn mistakes_are_named() {
        for (word, wanted) in [
            ("@arg:0", "from 1 to"),
            ("@arg:99999999999999999999999", "from 1 to"),
            ("@@@arg", "cannot stand in one word"),
        ] {
            let error = surroundings(&[word], &[]).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
        let long = "N".repeat(60);
        assert!(surroundings(&[], &[(&long, "@arg")]).is_err());
        assert!(surroundings(&[], &[(&long, "x")]).is_ok());
    }
}
