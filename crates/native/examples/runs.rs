//! Measures the fork server: `cargo run --release -p elsewise-native --example runs -- SIZE FILE.c
//! [CFLAGS]` runs the first case a thousand times on SIZE bytes of standard input.

use elsewise_explore::Subject;
use elsewise_native::{NativeOptions, NativeSubject, Program, Stdin};
use elsewise_term::Terms;
use std::ffi::OsString;
use std::time::Instant;

const RUNS: u32 = 1000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args_os().skip(1);
    let size = args
        .next()
        .and_then(|arg| arg.to_str()?.parse().ok())
        .ok_or("give the size of standard input first")?;
    let source = args.next().ok_or("give a C source second")?;
    let cflags: Vec<OsString> = args.collect();
    let folder = tempfile::tempdir()?;
    let begin = Instant::now();
    let program = Program::from_source(&[source.into()], &cflags, folder.path())?;
    println!("built in {:?}", begin.elapsed());
    let options = NativeOptions {
        stdin: Stdin::Fixed(size),
        ..NativeOptions::default()
    };
    let mut subject = NativeSubject::new(&program, &options)?;
    let case = subject.first_case();
    let mut terms = Terms::new();
    let first = subject.run(&case, &mut terms)?;
    println!("{:?}, {} choices", first.outcome, first.choices.len());
    let begin = Instant::now();
    let mut cpu = 0;
    for _ in 0..RUNS {
        cpu += subject.run(&case, &mut terms)?.cpu_micros;
    }
    println!("{:?} per run", begin.elapsed() / RUNS);
    println!("{} us processor time in the subject", cpu / u64::from(RUNS));
    let begin = Instant::now();
    for _ in 0..20 {
        subject.confirm(&case)?;
    }
    println!("{:?} per run of the plain build", begin.elapsed() / 20);
    Ok(())
}
