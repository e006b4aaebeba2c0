//! Compiles the C++ shim against LLVM 22's headers. Where there are none, the plugin is built
//! without its entry point, and `elsewise doctor` says what to install. Tests are linked with the LLVM that the
//! headers are of.

use std::path::PathBuf;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(llvm)");
    println!("cargo::rerun-if-changed=src/shim.cpp");
    println!("cargo::rerun-if-env-changed=ELSEWISE_LLVM_INCLUDE");
    let include = std::env::var_os("ELSEWISE_LLVM_INCLUDE")
        .map_or_else(|| PathBuf::from("/usr/lib/llvm-22/include"), PathBuf::from);
    println!("cargo::rerun-if-changed={}", include.join("llvm").display());
    if !include.join("llvm/Plugins/PassPlugin.h").exists() {
        println!("cargo::warning=no LLVM 22 headers: built without the compiler pass");
        return;
    }
    println!("cargo::rustc-cfg=llvm");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .file("src/shim.cpp")
        .flag("-isystem")
        .flag(include.to_str().expect("the LLVM include path is UTF-8"))
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .cpp_link_stdlib(None)
        .opt_level(2)
        .compile("elsewise_shim");
    // Only tests: the plugin finds LLVM in the compiler that loads it.
    let libraries = include.with_file_name("lib");
    for argument in ["-L", "-Wl,-rpath,"] {
        println!(
            "cargo::rustc-link-arg-tests={argument}{}",
            libraries.display()
        );
    }
    for library in ["LLVM-22", "stdc++"] {
        println!("cargo::rustc-link-arg-tests=-l{library}");
    }
}
