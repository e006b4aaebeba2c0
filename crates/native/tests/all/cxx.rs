//! C++ subjects: input bytes are followed through strings, containers and exceptions of the library.

use elsewise_driver::{Cache, Program};
use elsewise_explore::{Case, Choice, Outcome, Shape, Subject};
use elsewise_native::{NativeOptions, NativeSubject, Stdin};
use elsewise_term::Terms;
use std::fs;

const SOURCE: &str = r#"
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

static int digit(const std::string &text)
{
    if (text[0] != 'v' || text[1] != '=')
        throw std::invalid_argument("no value");
    return text[2] - '0';
}

int main()
{
    char b[4];
    if (read(0, b, 4) != 4)
        return 9;
    std::string text;
    for (char c : b)
        text.push_back(c);
    std::vector<char> copy(text.begin(), text.end());
    try {
        if (digit(text) == 3 && copy.back() == '!')
            abort();
    } catch (const std::exception &) {
        return 2;
    }
    return 0;
}
"#;

#[test]
fn bytes_are_followed_through_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("subject.cc");
    fs::write(&file, SOURCE).unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let program = Program::from_source_with(&[file], &[], &folder.path().join("out"), &cache)
        .unwrap_or_else(|error| panic!("{error}"));
    let options = NativeOptions {
        stdin: Stdin::Fixed(4),
        ..NativeOptions::default()
    };
    let mut subject = NativeSubject::new(&program, &options).unwrap();
    // Each line is a path of its own: so many choices depend on the input.
    for (input, choices, code) in [
        (b"xxxx", 1, Some(2)),
        (b"vxxx", 2, Some(2)),
        (b"v=1x", 3, Some(0)),
        (b"v=3x", 4, Some(0)),
        (b"v=3!", 4, None),
    ] {
        let mut case = Case::default();
        case.inputs.insert("stdin".into(), input.to_vec());
        let mut terms = Terms::new();
        let trace = subject.run(&case, &mut terms).unwrap();
        assert_eq!(trace.approximations, [], "{input:?}");
        let made = |choice: &&Choice| !matches!(choice.shape, Shape::Question { .. });
        let made = trace.choices.iter().filter(made).count();
        assert_eq!(made, choices, "{input:?}");
        match code {
            Some(code) => assert_eq!(trace.outcome, Outcome::Exit(code), "{input:?}"),
            None => {
                let Outcome::Failure { kind, place, .. } = trace.outcome else {
                    panic!("{input:?}");
                };
                assert_eq!((kind.word(), place[0].function.as_str()), ("abort", "main"));
            }
        }
    }
}
