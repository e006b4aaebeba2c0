//! `elsewise-cxx`: a drop-in C++ compiler that builds subjects.

fn main() {
    let args = std::env::args_os().collect();
    std::process::exit(elsewise_driver::cc::main_cc(args, &mut std::io::stderr()));
}
