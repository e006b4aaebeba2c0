//! The `.rpm`, for Fedora, made with rpmbuild from the tree that is packed anyway.

use super::{Manifest, llvm, must};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Where Fedora has what lies elsewhere in Debian.
const MOVED: [(&str, &str); 2] = [
    (
        "share/zsh/vendor-completions/_elsewise",
        "share/zsh/site-functions/_elsewise",
    ),
    (
        "share/fish/vendor_completions.d/elsewise.fish",
        "share/fish/completions/elsewise.fish",
    ),
];

pub fn make(target: &Path, tree: &Path, manifest: &Manifest, rpm: &Path) -> Result<()> {
    let place = target.join("rpm");
    fs::create_dir_all(&place)?;
    let spec = place.join("elsewise.spec");
    fs::write(&spec, spec_file(manifest, tree))?;
    let define = |name: &str, value: &Path| format!("{name} {}", value.display());
    must(
        Command::new("rpmbuild")
            .args(["-bb", "--quiet", "--target", "x86_64-linux"])
            // The same files make the same package, whoever makes it.
            .args(["--define", "_buildhost localhost"])
            .args(["--define", &define("_topdir", &place)])
            .args(["--define", &define("_rpmdir", &place)])
            .arg(&spec),
    )?;
    let built = place
        .join("x86_64")
        .join(rpm.file_name().context("a package has a name")?);
    fs::rename(&built, rpm).with_context(|| format!("rpmbuild made no {}", built.display()))?;
    fs::remove_dir_all(&place)?;
    Ok(())
}

/// Any release of LLVM that there is a pass for: Fedora's own, or one that is installed beside it.
fn clang() -> String {
    let newest = llvm::RELEASES[0];
    let oldest = llvm::RELEASES[llvm::RELEASES.len() - 1];
    let others = llvm::RELEASES.map(|release| format!("clang{release}"));
    format!(
        "((clang >= {oldest} with clang < {}) or {})",
        newest + 1,
        others.join(" or ")
    )
}

fn spec_file(manifest: &Manifest, tree: &Path) -> String {
    let moves: String = MOVED
        .iter()
        .map(|(from, to)| {
            format!("install -D -m 644 %{{buildroot}}/usr/{from} %{{buildroot}}/usr/{to}\nrm -r %{{buildroot}}/usr/{}\n",
                Path::new(from).parent().unwrap_or(Path::new("")).display())
        })
        .collect();
    format!(
        "Name: elsewise\n\
         Version: {version}\n\
         Release: 1\n\
         Summary: Concolic tester for C and C++\n\
         License: MIT OR Apache-2.0\n\
         Requires: {clang}\n\
         Requires: lld, llvm, glibc-devel\n\
         Recommends: compiler-rt, z3-libs, gdb\n\
         # Programs are stripped already, and must stay as they are: they have objects in them.\n\
         %global debug_package %{{nil}}\n\
         %global __os_install_post %{{nil}}\n\
         %global _build_id_links none\n\
         %global _binary_payload w9.zstdio\n\
         \n\
         %description\n\
         {description}\n\
         \n\
         %install\n\
         mkdir -p %{{buildroot}}\n\
         cp --archive {tree} %{{buildroot}}/usr\n\
         {moves}\
         gzip -9 -n %{{buildroot}}/usr/share/man/man1/*\n\
         \n\
         %files\n\
         %attr(-, root, root) /usr/bin/*\n\
         %attr(-, root, root) /usr/include/*\n\
         %attr(-, root, root) /usr/share/bash-completion/completions/*\n\
         %attr(-, root, root) /usr/share/zsh/site-functions/*\n\
         %attr(-, root, root) /usr/share/fish/completions/*\n\
         %attr(-, root, root) /usr/share/elsewise\n\
         %attr(-, root, root) %doc /usr/share/doc/elsewise\n\
         %attr(-, root, root) /usr/share/man/man1/*\n",
        version = manifest.version,
        description = manifest.description,
        clang = clang(),
        tree = tree.display(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_release_of_clang_will_do_that_there_is_a_pass_for() {
        assert_eq!(
            clang(),
            "((clang >= 18 with clang < 23) or clang22 or clang21 or clang20 or clang19 or clang18)"
        );
    }
}
