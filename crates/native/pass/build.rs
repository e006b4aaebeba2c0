//! Compiles the C++ shim against LLVM's headers, of the newest release that is there (`build/headers.rs`). Where there are
//! none, the plugin is built without its entry point, and `elsewise doctor` says what to install. Tests are linked with
//! the LLVM that the headers are of.

#[path = "build/headers.rs"]
mod headers;

use headers::{Headers, number};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(llvm)");
    println!("cargo::rustc-check-cfg=cfg(plugin_before_code_generation)");
    println!("cargo::rerun-if-changed=src/shim.cpp");
    println!("cargo::rerun-if-changed=build/headers.rs");
    let Some(headers) = Headers::all().into_iter().next() else {
        println!("cargo::warning=no headers of LLVM 18 to 22: built without the compiler pass");
        return;
    };
    println!("cargo::rustc-cfg=llvm");
    match number(&headers.plugin(), "LLVM_PLUGIN_API_VERSION") {
        Some(1) => {}
        Some(2) => println!("cargo::rustc-cfg=plugin_before_code_generation"),
        other => panic!(
            "a plugin of LLVM {} is not known: {other:?}",
            headers.release
        ),
    }
    let include = &headers.include;
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
    for library in [format!("LLVM-{}", headers.release).as_str(), "stdc++"] {
        println!("cargo::rustc-link-arg-tests=-l{library}");
    }
}
