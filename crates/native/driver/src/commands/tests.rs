//! Databases of every form that build systems write, and the flags that come of them.

use super::*;
use tempfile::TempDir;

/// A project in a folder with a blank in its name: `src/a.c`, `include/`, `src/config.h`.
fn project() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap().join("my project");
    for name in ["src", "include", "build"] {
        fs::create_dir_all(root.join(name)).unwrap();
    }
    fs::write(root.join("src/a.c"), "int f(void) { return 0; }\n").unwrap();
    fs::write(root.join("src/config.h"), "").unwrap();
    (folder, root)
}

fn database(path: &Path, entries: serde_json::Value) {
    fs::write(path, entries.to_string()).unwrap();
}

fn texts(args: &[OsString], root: &Path) -> Vec<String> {
    let root = root.display().to_string();
    args.iter()
        .map(|arg| arg.to_str().unwrap().replace(&root, "ROOT"))
        .collect()
}

#[test]
fn a_line_for_the_shell_with_blanks_and_quotes() {
    let (_folder, root) = project();
    database(
        &root.join("build").join(NAME),
        serde_json::json!([{
            "directory": root.join("build"),
            "file": "../src/a.c",
            "command": r#"/usr/bin/cc -I"../my include" -DNAME=\"a\ b\" '-DF(x)=x' -c ../src/a.c"#,
        }]),
    );
    let flags = flags_for(&root.join("src/a.c"), None).unwrap().unwrap();
    assert_eq!(flags.database, root.join("build").join(NAME));
    assert_eq!(
        texts(&flags.args, &root),
        ["-IROOT/build/../my include", "-DNAME=\"a b\"", "-DF(x)=x"]
    );
}

#[test]
fn only_what_changes_the_meaning_stays_and_paths_are_absolute() {
    let (_folder, root) = project();
    let line = "ccache gcc-12 -I. -I /abs -iquote ../include -isystem ../sys -idirafter last \
        -I=usr -include config.h -include stdio.h -imacros none.h -DA=1 -D B -UC -std=gnu11 \
        -funsigned-char -fPIC -m64 -O2 -pthread -Wall -Werror -Wp,-D_FORTIFY_SOURCE=2 -Wp,-MD,x.d \
        -pedantic -g3 -MD -MF a.d -MTa.o -MP -fsanitize=address -flto=auto -fdiagnostics-color \
        -fprofile-arcs --coverage -ffile-prefix-map=/a=b -L../lib -lm -Wl,-z,now -shared -pipe \
        -specs=x.specs --param max=1 -c a.c b.o -o a.o";
    database(
        &root.join(NAME),
        serde_json::json!([{
            "directory": root.join("src"),
            "file": "a.c",
            "arguments": line.split_whitespace().collect::<Vec<_>>(),
        }]),
    );
    let flags = flags_for(&root.join("src/a.c"), None).unwrap().unwrap();
    assert_eq!(
        texts(&flags.args, &root).join(" "),
        "-IROOT/src/. -I /abs -iquote ROOT/src/../include -isystem ROOT/src/../sys \
         -idirafter ROOT/src/last -I=usr -include ROOT/src/config.h -include stdio.h \
         -imacros none.h -DA=1 -D B -UC -std=gnu11 -funsigned-char -fPIC -m64 -O2 -pthread \
         -Wp,-D_FORTIFY_SOURCE=2"
    );
    assert!(flags.left_out.is_empty(), "{:?}", flags.left_out);
}

#[test]
fn options_of_another_compiler_are_left_out_and_named() {
    let (_folder, root) = project();
    database(
        &root.join(NAME),
        serde_json::json!([{
            "directory": root,
            "file": "src/a.c",
            "arguments": ["gcc", "-fno-such-option", "-fwrapv", "-DX", "-c", "src/a.c"],
        }]),
    );
    let flags = flags_for(&root.join("src/a.c"), None).unwrap().unwrap();
    assert_eq!(texts(&flags.args, &root), ["-fwrapv", "-DX"]);
    assert_eq!(texts(&flags.left_out, &root), ["-fno-such-option"]);
}

#[test]
fn response_files_are_those_of_the_folder_of_the_command() {
    let (_folder, root) = project();
    fs::write(root.join("build/flags.rsp"), "-DX='1 2' -I../include").unwrap();
    database(
        &root.join(NAME),
        serde_json::json!([{
            // Relative to the folder of the database.
            "directory": "build",
            "file": "../src/a.c",
            "arguments": ["cc", "@flags.rsp", "-c", "../src/a.c"],
        }]),
    );
    let flags = flags_for(&root.join("src/a.c"), None).unwrap().unwrap();
    assert_eq!(
        texts(&flags.args, &root),
        ["-DX=1 2", "-IROOT/build/../include"]
    );
}

#[test]
fn the_first_of_several_commands_counts_and_the_nearest_database_that_knows_the_file() {
    let (_folder, root) = project();
    let entry = |file: &str, flag: &str| {
        serde_json::json!({
            "directory": root, "file": file, "arguments": ["cc", flag, "-c", file],
        })
    };
    let far = [entry("src/a.c", "-DFIRST"), entry("src/a.c", "-DSECOND")];
    database(&root.join(NAME), serde_json::json!(far));
    database(
        &root.join("src").join(NAME),
        serde_json::json!([entry("src/other.c", "-DOTHER")]),
    );
    let args = |given: Option<&Path>| {
        let flags = flags_for(&root.join("src/a.c"), given).unwrap().unwrap();
        texts(&flags.args, &root)
    };
    assert_eq!(args(None), ["-DFIRST"]);
    // A link to the file is the file.
    let link = root.join("link.c");
    std::os::unix::fs::symlink("src/a.c", &link).unwrap();
    assert!(flags_for(&link, None).unwrap().is_some());
    let given = root.join("other.json");
    database(&given, serde_json::json!([entry("link.c", "-DGIVEN")]));
    assert_eq!(args(Some(&given)), ["-DGIVEN"]);
    assert_eq!(args(Some(&root)), ["-DFIRST"]);
}

#[test]
fn what_cannot_be_used_says_what_to_do() {
    let (_folder, root) = project();
    let file = root.join("src/a.c");
    assert_eq!(flags_for(&file, None).unwrap(), None);
    let complaint = |given: &Path| flags_for(&file, Some(given)).unwrap_err().to_string();
    for (name, text) in [
        ("empty.json", "[]"),
        ("torn.json", "[{\"directory\": \"/\""),
        ("object.json", "{}"),
        ("neither.json", r#"[{"directory": "src", "file": "a.c"}]"#),
        (
            "quote.json",
            r#"[{"directory": "src", "file": "a.c", "command": "cc 'x"}]"#,
        ),
    ] {
        let path = root.join(name);
        fs::write(&path, text).unwrap();
        let said = complaint(&path);
        assert!(said.contains(name), "{said}");
        assert!(said.contains("elsewise capture -- make"), "{said}");
    }
    assert!(complaint(&root.join("build")).contains("no compile_commands.json"));
    assert!(complaint(&root.join("missing.json")).contains("missing.json"));
}
