//! The compiler driver in the ways that build systems use it.

use elsewise_native::cc::{Driver, Messages};
use elsewise_native::{Cache, NativeError, Program, Toolchain};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A folder with sources and a driver. Paths in arguments are given as `{}/name`.
struct Shop {
    folder: TempDir,
    driver: Driver,
    cache: Cache,
}

impl Shop {
    fn new(files: &[(&str, &str)]) -> Shop {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let cache = Cache::at(folder.path().join("cache"));
        let driver = Driver::new(Toolchain::find().unwrap(), cache.clone(), Messages::Keep);
        Shop {
            driver: driver.unwrap(),
            cache,
            folder,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn args(&self, line: &str) -> Vec<OsString> {
        let folder = self.folder.path().display().to_string();
        line.split_whitespace()
            .map(|arg| arg.replace("{}", &folder).into())
            .collect()
    }

    fn try_cc(&self, line: &str) -> Result<(), NativeError> {
        self.driver.build(&self.args(line))
    }

    fn cc(&self, line: &str) {
        self.try_cc(line)
            .unwrap_or_else(|error| panic!("{line}: {error}"));
    }

    /// Opens the program and runs both builds; their exit codes and the maps' sources.
    fn run(&self, name: &str) -> (i32, i32, Vec<String>) {
        let program = Program::open_with(&self.path(name), &self.cache)
            .unwrap_or_else(|error| panic!("{error}"));
        let code = |path: &Path| Command::new(path).status().unwrap().code().unwrap();
        let mut sources: Vec<String> = program
            .maps
            .iter()
            .map(|map| map.source.rsplit('/').next().unwrap_or("").to_string())
            .collect();
        sources.sort();
        (code(&program.instrumented), code(&program.plain), sources)
    }
}

const MAIN: &str = "int f(int); int main(void) { return f(3); }";
const F: &str = "int f(int x) { return x > 2 ? x + 4 : 0; }";

fn two_files() -> Shop {
    Shop::new(&[("main.c", MAIN), ("f.c", F)])
}

#[test]
fn compile_and_link_in_one_go() {
    let shop = two_files();
    shop.cc("{}/main.c {}/f.c -o {}/prog");
    let (instrumented, plain, sources) = shop.run("prog");
    assert_eq!((instrumented, plain), (7, 7));
    assert_eq!(sources, ["f.c", "main.c"]);
    // Nothing is left beside the program.
    assert!(!shop.path("main.o").exists());
}

#[test]
fn objects_carry_their_twins_through_an_archive() {
    let shop = two_files();
    shop.cc("-c {}/main.c -o {}/main.o");
    shop.cc("-O0 -fPIC -c {}/f.c -o {}/f.o");
    let ar = Command::new("ar")
        .arg("rcs")
        .arg(shop.path("libf.a"))
        .arg(shop.path("f.o"))
        .status()
        .unwrap();
    assert!(ar.success());
    for link in [
        "{}/main.o {}/f.o -o {}/prog",
        "{}/main.o {}/libf.a -o {}/prog",
        "{}/main.o -L{} -lf -o {}/prog",
        "{}/main.o -L {} -l f -o {}/prog",
        "{}/main.o -Wl,--whole-archive {}/libf.a -Wl,--no-whole-archive -o {}/prog",
        "-static {}/main.o {}/libf.a -o {}/prog",
        "-no-pie -s {}/main.o {}/libf.a -o {}/prog",
    ] {
        shop.cc(link);
        let (instrumented, plain, sources) = shop.run("prog");
        assert_eq!((instrumented, plain), (7, 7), "{link}");
        assert_eq!(sources, ["f.c", "main.c"], "{link}");
        fs::remove_file(shop.path("prog")).unwrap();
    }
    assert!(
        shop.driver
            .take_notes()
            .iter()
            .any(|note| note.contains("-static"))
    );
}

#[test]
fn thin_archives_and_members_of_one_name() {
    let shop = Shop::new(&[
        (
            "main.c",
            "int f(int); int g(void); int main(void) { return f(3) + g(); }",
        ),
        ("a/x.c", F),
        ("b/x.c", "int g(void) { return 10; }"),
    ]);
    shop.cc("-c {}/main.c -o {}/main.o");
    shop.cc("-c {}/a/x.c -o {}/a/x.o");
    shop.cc("-c {}/b/x.c -o {}/b/x.o");
    for mode in ["qcs", "qcsT"] {
        let ar = Command::new("ar")
            .current_dir(shop.folder.path())
            .args([mode, "libx.a", "a/x.o", "b/x.o"])
            .status()
            .unwrap();
        assert!(ar.success());
        shop.cc("{}/main.o {}/libx.a -o {}/prog");
        let (instrumented, plain, _) = shop.run("prog");
        assert_eq!((instrumented, plain), (17, 17), "{mode}");
        fs::remove_file(shop.path("libx.a")).unwrap();
    }
}

#[test]
fn relocatable_links_keep_both() {
    let shop = two_files();
    shop.cc("-c {}/main.c -o {}/main.o");
    shop.cc("-c {}/f.c -o {}/f.o");
    shop.cc("-r {}/main.o {}/f.o -o {}/both.o");
    shop.cc("{}/both.o -o {}/prog");
    let (instrumented, plain, sources) = shop.run("prog");
    assert_eq!((instrumented, plain), (7, 7));
    assert_eq!(sources, ["f.c", "main.c"]);
}

#[test]
fn a_shared_library_works_without_being_explored() {
    let shop = two_files();
    shop.cc("-fPIC -c {}/f.c -o {}/f.o");
    shop.cc("-shared {}/f.o -o {}/libf.so");
    assert!(shop.driver.take_notes()[0].contains("uninstrumented"));
    shop.cc("{}/main.c -L{} -lf -Wl,-rpath,{} -o {}/prog");
    let (instrumented, plain, sources) = shop.run("prog");
    assert_eq!((instrumented, plain), (7, 7));
    assert_eq!(sources, ["main.c"]);
}

#[test]
fn assembly_serves_both_builds() {
    let shop = Shop::new(&[
        ("main.c", MAIN),
        (
            "f.s",
            ".globl f\nf: lea 4(%rdi), %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n",
        ),
    ]);
    shop.cc("-c {}/f.s -o {}/f.o");
    shop.cc("{}/main.c {}/f.o -o {}/prog");
    assert_eq!(shop.run("prog").0, 7);
    shop.cc("{}/main.c {}/f.s -o {}/prog2");
    assert_eq!(shop.run("prog2").1, 7);
}

#[test]
fn dependency_files_are_the_users() {
    let shop = Shop::new(&[("main.c", "#include \"m.h\"\n"), ("m.h", MAIN), ("f.c", F)]);
    shop.cc("-MD -c {}/main.c -o {}/main.o");
    let deps = fs::read_to_string(shop.path("main.d")).unwrap();
    assert!(
        deps.starts_with(&shop.path("main.o").display().to_string()),
        "{deps}"
    );
    assert!(deps.contains("m.h"), "{deps}");
    shop.cc("-MMD -MF {}/x.d -MT target -c {}/main.c -o {}/main.o");
    let deps = fs::read_to_string(shop.path("x.d")).unwrap();
    assert!(deps.starts_with("target:"), "{deps}");
    shop.cc("-MD {}/main.c {}/f.c -o {}/prog");
    let deps = fs::read_to_string(shop.path("prog.d")).unwrap();
    assert!(
        deps.starts_with(&shop.path("prog").display().to_string()),
        "{deps}"
    );
}

#[test]
fn preprocessing_and_response_files() {
    let shop = Shop::new(&[
        (
            "main.c",
            "#include <elsewise.h>\nint main(void) { return 7; }",
        ),
        ("args", "-DX=1\n\"-O1\" -c"),
    ]);
    shop.cc("-E {}/main.c -o {}/main.i");
    let text = fs::read_to_string(shop.path("main.i")).unwrap();
    assert!(text.contains("elsewise_input"));
    shop.cc("@{}/args {}/main.c -o {}/main.o");
    shop.cc("{}/main.o -o {}/prog");
    assert_eq!(shop.run("prog").1, 7);
}

#[test]
fn a_failed_build_leaves_no_half_product() {
    let shop = Shop::new(&[
        ("bad.c", "int main(void) { return nowhere; }"),
        ("main.c", MAIN),
    ]);
    let error = shop.try_cc("-c {}/bad.c -o {}/bad.o").unwrap_err();
    assert!(error.to_string().contains("nowhere"));
    assert!(!shop.path("bad.o").exists());
    let error = shop.try_cc("{}/main.c -o {}/prog").unwrap_err();
    assert!(error.to_string().contains("undefined"), "{error}");
    assert!(!shop.path("prog").exists());
    assert!(shop.try_cc("-c {}/bad.c {}/main.c -o {}/x.o").is_err());
}

#[test]
fn the_users_optimisation_is_the_plain_builds() {
    let shop = Shop::new(&[(
        "main.c",
        "int main(void) {\n#ifdef __OPTIMIZE__\nreturn 1;\n#else\nreturn 2;\n#endif\n}",
    )]);
    shop.cc("-O0 {}/main.c -o {}/prog");
    let (instrumented, plain, _) = shop.run("prog");
    assert_eq!((instrumented, plain), (1, 2));
}
