//! `elsewise-cc`: a drop-in C compiler that builds subjects.

fn main() {
    let args = std::env::args_os().skip(1).collect();
    std::process::exit(elsewise_native::cc::main_cc(args, &mut std::io::stderr()));
}
