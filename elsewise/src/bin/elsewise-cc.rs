//! `elsewise-cc`: a drop-in C compiler that builds subjects; called by a name that ends in `++`, a
//! C++ compiler.

fn main() {
    let args = std::env::args_os().collect();
    std::process::exit(elsewise_driver::cc::main_cc(args, &mut std::io::stderr()));
}
