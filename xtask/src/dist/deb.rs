//! The `.deb`, for Debian 12 and later and Ubuntu 24.04 and later.

use super::{Manifest, copy_tree, llvm, must};
use anyhow::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The libraries of our programs, and what C programs are compiled against.
const DEPENDS: &str = "libc6 (>= 2.36), libgcc-s1, libstdc++6, libc6-dev";
/// What subjects are built with. Any release of LLVM that there is a pass for will do; apt takes the first that it can get.
const LLVM: [&str; 3] = ["clang-*", "lld-*", "llvm-*"];
/// Z3 and gdb are optional, as `elsewise doctor` says; libclang-rt is for `--sanitize`.
const RECOMMENDS: &str = "libz3-4, gdb";
const RECOMMENDS_LLVM: &str = "libclang-rt-*-dev";

pub fn make(target: &Path, tree: &Path, manifest: &Manifest, deb: &Path) -> Result<()> {
    let place = target.join("deb");
    copy_tree(tree, &place.join("usr"))?;
    let control = place.join("DEBIAN");
    fs::create_dir_all(&control)?;
    fs::write(control.join("control"), control_file(manifest))?;
    must(
        Command::new("dpkg-deb")
            // Not in the form that only newer systems read.
            .args(["--root-owner-group", "-Zxz", "--build"])
            .arg(&place)
            .arg(deb),
    )?;
    fs::remove_dir_all(&place)?;
    Ok(())
}

/// A package of any release of LLVM, the newest first.
fn of_any_release(package: &str) -> String {
    let all = llvm::RELEASES.map(|release| package.replace('*', &release.to_string()));
    all.join(" | ")
}

fn control_file(manifest: &Manifest) -> String {
    let llvm = LLVM.map(of_any_release).join(", ");
    format!(
        "Package: elsewise\n\
         Version: {}\n\
         Architecture: amd64\n\
         Maintainer: The Elsewise developers <elsewise@localhost>\n\
         Section: devel\n\
         Priority: optional\n\
         Depends: {DEPENDS}, {llvm}\n\
         Recommends: {RECOMMENDS}, {}\n\
         Description: concolic tester for C and C++\n \
         {}\n",
        manifest.version,
        of_any_release(RECOMMENDS_LLVM),
        manifest.description
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_control_file_has_what_dpkg_wants() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let manifest = Manifest::read(root).unwrap();
        let control = control_file(&manifest);
        assert!(control.contains(&format!("\nVersion: {}\n", manifest.version)));
        assert!(
            control.contains(", clang-22 | clang-21 | clang-20 | clang-19 | clang-18, lld-22 |")
        );
        // A description goes on in lines that begin with a space.
        assert!(control.trim_end().lines().last().unwrap().starts_with(' '));
    }
}
