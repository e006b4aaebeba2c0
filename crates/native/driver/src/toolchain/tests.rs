//! Which tools are taken, of several, of others, of none.

use super::*;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

/// A folder of programs that say a version.
struct Tools(tempfile::TempDir);

impl Tools {
    fn new() -> Tools {
        Tools(tempfile::tempdir().unwrap())
    }

    fn add(&self, name: &str, says: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\necho '{says}'\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn with_others(self) -> Tools {
        for name in ["ld.lld", "llvm-objcopy", "llvm-ar"] {
            self.add(name, "");
        }
        self
    }

    fn places(&self, releases: &[u32]) -> Places {
        Places {
            clang: None,
            path: vec![self.0.path().to_path_buf()],
            fixed: vec![],
            releases: releases.to_vec(),
            packages: Packages::Debian,
        }
    }
}

#[test]
fn the_version_is_read_from_clangs_first_line() {
    assert_eq!(major("Debian clang version 22.1.0 (++2026)"), Some(22));
    assert_eq!(major("clang version 9.0"), Some(9));
    assert_eq!(major("gcc 12"), None);
}

#[test]
fn names_and_folders_tell_the_release() {
    for (path, release) in [
        ("/usr/lib/llvm-19/bin/clang", Some(19)),
        ("/usr/lib64/llvm20/bin/clang", Some(20)),
        ("/usr/bin/clang-21", Some(21)),
        ("/usr/bin/clang", None),
        ("/opt/llvm-22/bin/wrapper", None),
    ] {
        assert_eq!(named(Path::new(path)), release, "{path}");
    }
}

#[test]
fn the_newest_clang_that_there_is_a_pass_for_is_taken() {
    let tools = Tools::new().with_others();
    let old = tools.add("clang-19", "clang version 19.1.7");
    let middle = tools.add("clang-21", "clang version 21.1.0");
    tools.add("clang-22", "clang version 22.1.0");
    let found = |releases| Toolchain::find_in(&tools.places(releases)).unwrap();
    let taken = found(&[21, 19]);
    assert_eq!((taken.clang, taken.release), (middle, 21));
    let taken = found(&[20, 19, 18]);
    assert_eq!((taken.clang, taken.release), (old.clone(), 19));
    // Unless another is wished for.
    let mut places = tools.places(&[21, 19]);
    places.clang = Some("clang-19".into());
    let taken = Toolchain::find_in(&places).unwrap();
    assert_eq!((taken.clang, taken.release), (old, 19));
}

#[test]
fn a_clang_without_a_number_is_asked_for_it() {
    let tools = Tools::new().with_others();
    let clang = tools.add("clang", "clang version 20.1.8 (Fedora 20.1.8-4.fc42)");
    let taken = Toolchain::find_in(&tools.places(&[22, 20])).unwrap();
    assert_eq!((taken.clang, taken.release), (clang, 20));
    let missing = Toolchain::find_in(&tools.places(&[22]));
    assert!(matches!(
        missing,
        Err(NativeError::MissingTool { tool: "clang", .. })
    ));
    // As Arch has it.
    let tools = Tools::new().with_others();
    let real = tools.add("clang-21", "");
    symlink(&real, tools.0.path().join("clang")).unwrap();
    assert_eq!(release(&tools.0.path().join("clang")), Some(21));
}

#[test]
fn releases_beside_each_other_are_found_in_their_folders() {
    let tools = Tools::new();
    let prefix = tools.0.path().to_path_buf();
    let clang = tools.add("opt/llvm@21/bin/clang", "");
    tools.add("opt/llvm@20/bin/clang", "");
    let lld = tools.add("opt/lld@21/bin/ld.lld", "");
    for name in ["llvm-objcopy", "llvm-ar"] {
        tools.add(&format!("opt/llvm@21/bin/{name}"), "");
    }
    let mut places = tools.places(&[21, 20]);
    places.path.clear();
    let own = prefix.display().to_string();
    places.fixed = fixed(Some(prefix.into()));
    // Not those of this machine.
    places.fixed.retain(|folder| folder.starts_with(&own));
    let taken = Toolchain::find_in(&places).unwrap();
    assert_eq!((taken.clang, taken.release, taken.lld), (clang, 21, lld));
}

#[test]
fn tools_of_the_same_release_come_first() {
    let tools = Tools::new();
    tools.add("clang-19", "");
    tools.add("ld.lld-22", "");
    let lld = tools.add("ld.lld-19", "");
    let ar = tools.add("llvm-ar-20", "");
    let objcopy = tools.add("llvm-objcopy", "");
    let taken = Toolchain::find_in(&tools.places(&[19])).unwrap();
    assert_eq!((taken.lld, taken.ar, taken.objcopy), (lld, ar, objcopy));
}

#[test]
fn a_missing_clang_says_what_to_install() {
    let mut nowhere = Tools::new().places(&[22, 19]);
    let error = Toolchain::find_in(&nowhere).unwrap_err().to_string();
    assert!(
        error.contains("`apt-get install clang-22 lld-22 llvm-22`"),
        "{error}"
    );
    let checks = checks_in(&nowhere);
    assert_eq!(checks[0].found, None);
    for (about, install) in [
        ("ID=ubuntu\nID_LIKE=debian\n", "apt-get install lld-20"),
        (
            "NAME=x\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n",
            "apt-get install lld-20",
        ),
        ("ID=debian\n", "apt-get install lld-22"),
        ("ID=fedora\n", "dnf install lld"),
        (
            "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n",
            "dnf install lld",
        ),
        ("ID=arch\n", "pacman -S lld"),
        ("", "apt-get install lld-22"),
    ] {
        nowhere.packages = Packages::of(about);
        assert_eq!(checks_in(&nowhere)[1].advice, format!("run `{install}`"));
    }
}

#[test]
fn a_wished_for_clang_that_is_not_there_is_not_replaced() {
    let mut places = Places::from_environment();
    places.clang = Some("/nowhere/clang".into());
    assert!(matches!(
        Toolchain::find_in(&places),
        Err(NativeError::MissingTool { tool: "clang", .. })
    ));
}

#[test]
fn a_wished_for_clang_of_another_release_is_refused() {
    let tools = Tools::new().with_others();
    let mut places = tools.places(&[22, 19]);
    for (says, is) in [
        ("clang version 17.0.6", "is a clang of LLVM 17, which"),
        ("hello", "is no clang that says its version, which"),
    ] {
        places.clang = Some(tools.add("wrapper", says).into());
        let error = Toolchain::find_in(&places).unwrap_err().to_string();
        assert!(error.contains(is), "{error}");
        assert_eq!(checks_in(&places)[0].found, None);
    }
    places.clang = Some(tools.add("wrapper", "clang version 19.1.1").into());
    assert_eq!(Toolchain::find_in(&places).unwrap().release, 19);
}
