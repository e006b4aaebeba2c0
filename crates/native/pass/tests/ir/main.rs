//! IR in, IR out: each file of `cases` is a module in LLVM's own words that is instrumented, and says in comments what
//! must be found in the result, and what must not.
//!
//! - `CHECK: text` is found in a line below the one of the check before it;
//! - `CHECK-NEXT: text`, in the very next line;
//! - `CHECK-NOT: text`, in no line between its neighbours' (or the end);
//! - `CHECK-LABEL: text` begins anew, from the first line on.
//!
//! `{{*}}` in a text stands for anything within the line. What the result has to say beside its code (bytecode, sites, the
//! code as a transition relation) is written out behind it, as `tell` has it.

#[cfg(llvm)]
mod check;
#[cfg(llvm)]
mod instrument;
#[cfg(llvm)]
mod tell;

use libtest_mimic::{Arguments, Trial};

#[cfg(llvm)]
fn trials() -> Vec<Trial> {
    use anyhow::Context;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ir/cases");
    let files = std::fs::read_dir(folder).expect("there are cases");
    let mut trials = vec![Trial::test("checks_can_fail", || Ok(check::can_fail()?))];
    for file in files {
        let path = file.expect("cases can be listed").path();
        let name = path
            .file_stem()
            .expect("cases have names")
            .display()
            .to_string();
        let run = move || {
            let text =
                std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            Ok(check::check(&text, &instrument::instrument(&text)?)?)
        };
        trials.push(Trial::test(name, run));
    }
    trials
}

/// There is no pass without LLVM's headers.
#[cfg(not(llvm))]
fn trials() -> Vec<Trial> {
    Vec::new()
}

fn main() {
    libtest_mimic::run(&Arguments::from_args(), trials()).exit();
}
