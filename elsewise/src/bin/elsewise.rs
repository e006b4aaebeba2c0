//! The `elsewise` command.

fn main() -> std::process::ExitCode {
    elsewise::main(elsewise::languages::ALL)
}
