//! Measures the fork server: `cargo run --release -p elsewise-native --example runs -- RUNS SIZE
//! FILE.c [CFLAGS]` runs the first case so many times on SIZE bytes of standard input.

use elsewise_driver::Program;
use elsewise_explore::Subject;
use elsewise_native::{NativeOptions, NativeSubject, Stdin};
use elsewise_term::Terms;
use std::ffi::OsString;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args_os().skip(1);
    let mut number = |what: &'static str| {
        args.next()
            .and_then(|arg| arg.to_str()?.parse::<u32>().ok())
            .ok_or(what)
    };
    let runs = number("give the number of runs first")?;
    let size = number("give the size of standard input second")?;
    let source = args.next().ok_or("give a C source third")?;
    let cflags: Vec<OsString> = args.collect();
    let folder = tempfile::tempdir()?;
    let begin = Instant::now();
    let program = Program::from_source(&[source.into()], &cflags, folder.path())?;
    println!("built in {:?}", begin.elapsed());
    let options = NativeOptions {
        stdin: Stdin::Fixed(size.into()),
        ..NativeOptions::default()
    };
    let mut subject = NativeSubject::new(&program, &options)?;
    let case = subject.first_case();
    let mut terms = Terms::new();
    let first = subject.run(&case, &mut terms)?;
    println!("{:?}, {} choices", first.outcome, first.choices.len());
    let begin = Instant::now();
    let mut cpu = 0;
    for _ in 0..runs {
        cpu += subject.run(&case, &mut terms)?.cpu_micros;
    }
    println!("{:?} per run", begin.elapsed() / runs);
    println!("{} us processor time in the subject", cpu / u64::from(runs));
    let begin = Instant::now();
    for _ in 0..20 {
        subject.confirm(&case)?;
    }
    println!("{:?} per run of the plain build", begin.elapsed() / 20);
    Ok(())
}
