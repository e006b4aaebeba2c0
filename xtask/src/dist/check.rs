//! Whether the packages work on systems that have nothing else: made with debootstrap, removed again.

use super::archives::{Archive, archives};
use super::{Packages, llvm, must};
use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A system that packages are tried on.
struct System {
    name: &'static str,
    suite: &'static str,
    /// Releases of clang that it has beside the one that the package brings along, to be tried as well.
    others: &'static [u32],
    /// That have more than the suite's own archives do.
    more: &'static [&'static str],
}

const SYSTEMS: [System; 3] = [
    System {
        name: "debian-12",
        suite: "bookworm",
        others: &[19],
        more: &[],
    },
    System {
        name: "debian-13",
        suite: "trixie",
        others: &[18, 19, 21],
        more: &["trixie-backports"],
    },
    System {
        name: "ubuntu-24.04",
        suite: "noble",
        others: &[18, 19],
        more: &["noble-updates"],
    },
];

/// The name of a system, if there is one of this name.
pub fn place(name: &str) -> Option<&'static str> {
    let system = SYSTEMS.iter().find(|system| system.name == name)?;
    Some(system.name)
}

/// Fails with an assertion for one input of 65536.
const SUBJECT: &str = "\
#include <assert.h>
#include <unistd.h>
int main(void)
{
    unsigned char c[2];
    if (read(0, c, 2) != 2)
        return 1;
    if (c[0] == 'e')
        assert(c[1] != 'w');
    return 0;
}
";

/// What is done in there, after the package is installed. A finding is exit code 2.
const INSIDE: &str = r#"
set -eu
elsewise doctor
cd "$(mktemp -d)"
cp /tmp/subject.c .
found() {
    "$@" && code=0 || code=$?
    [ "$code" = 2 ] || { echo "$*: exit code $code instead of 2" >&2; exit 1; }
}
found elsewise explore subject.c --input-size 2 --quiet
found elsewise replay 1
elsewise-cc -o subject subject.c
found elsewise explore ./subject --input-size 2 --quiet --campaign of-executable
# The tarball, from a folder that nobody has thought of.
mkdir "some where"
tar -xzf /tmp/elsewise.tar.gz -C "some where" --strip-components=1
found "some where/bin/elsewise" explore subject.c --input-size 2 --quiet --campaign of-tarball
found /opt/rpm/usr/bin/elsewise explore subject.c --input-size 2 --quiet --campaign of-rpm
for release in $OTHERS; do
    ELSEWISE_CLANG=clang-$release elsewise doctor | grep "clang-$release "
    found env ELSEWISE_CLANG=clang-$release elsewise explore subject.c --input-size 2 --quiet --campaign "of-$release"
done
"#;

pub fn run(root: &Path, packages: &Packages, places: &[&str]) -> Result<()> {
    // SAFETY: a plain query.
    let user = unsafe { libc::geteuid() };
    ensure!(
        user == 0,
        "systems of their own are made by root: run `cargo xtask dist --check` as root"
    );
    for system in &SYSTEMS {
        if places.is_empty() || places.contains(&system.name) {
            try_on(root, system, packages).with_context(|| format!("on {}", system.name))?;
        }
    }
    println!("the packages work");
    Ok(())
}

fn try_on(root: &Path, system: &System, packages: &Packages) -> Result<()> {
    let folder = tempfile::Builder::new()
        .prefix("elsewise-dist-")
        .tempdir()?;
    let place = folder.path().join(system.name);
    bootstrap(root, system, &place)?;
    for (file, name) in [
        (&packages.deb, "elsewise.deb"),
        (&packages.tarball, "elsewise.tar.gz"),
    ] {
        fs::copy(file, place.join("tmp").join(name))?;
    }
    unpack_rpm(&packages.rpm, &place.join("opt/rpm"))?;
    fs::write(place.join("tmp/subject.c"), SUBJECT)?;
    fs::write(place.join("tmp/inside.sh"), INSIDE)?;
    let others: Vec<String> = system.others.iter().map(u32::to_string).collect();
    let others = others.join(" ");
    let install = "export DEBIAN_FRONTEND=noninteractive
         install() { apt-get --quiet --quiet --assume-yes --no-install-recommends install \"$@\"; }
         apt-get --quiet --quiet update
         install /tmp/elsewise.deb libz3-4";
    inside(
        &place,
        &format!("{install}\nuseradd --create-home somebody"),
    )?;
    println!("installed; as root:");
    inside(&place, "OTHERS= sh /tmp/inside.sh")?;
    println!("as a user, also with clang {others}:");
    inside(
        &place,
        &format!("{install} $(for n in {others}; do echo clang-$n; done)"),
    )?;
    inside(
        &place,
        &format!("su somebody -c 'OTHERS=\"{others}\" sh /tmp/inside.sh'"),
    )
}

fn unpack_rpm(rpm: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    let script = "rpm2cpio \"$0\" | cpio --quiet --extract --make-directories --directory \"$1\"";
    must(Command::new("sh").args(["-ec", script]).arg(rpm).arg(to))
}

/// A fresh system, with its archives.
fn bootstrap(root: &Path, system: &System, place: &Path) -> Result<()> {
    let mut debootstrap = Command::new("debootstrap");
    debootstrap.args(["--variant=minbase", system.suite]);
    let mut sources = String::new();
    if system.suite == "noble" {
        let keys = llvm::ubuntu_keys(&root.join("target/llvm/keys"))?;
        debootstrap.arg(format!("--keyring={}", keys.display()));
        debootstrap.args(["--components=main,universe"]);
        println!("a fresh {} from {}", system.name, llvm::UBUNTU);
        // All of Ubuntu's are made in the same way.
        let script = Path::new("/usr/share/debootstrap/scripts/gutsy");
        must(debootstrap.arg(place).arg(llvm::UBUNTU).arg(script))?;
        for suite in std::iter::once(&system.suite).chain(system.more) {
            writeln!(sources, "deb {} {suite} main universe", llvm::UBUNTU)?;
        }
    } else {
        let archives = archives(system.suite)?;
        let first = archives
            .iter()
            .find(|archive| archive.release == system.suite)
            .context("apt on this machine knows no archive of Debian")?;
        println!("a fresh {} from {}", system.name, first.uri);
        must(debootstrap.arg(place).arg(&first.uri))?;
        for archive in &archives {
            let Archive {
                uri,
                release,
                component,
            } = archive;
            writeln!(sources, "deb {uri} {release} {component}")?;
        }
        for suite in system.more {
            writeln!(sources, "deb {} {suite} main", first.uri)?;
        }
    }
    fs::write(place.join("etc/apt/sources.list"), sources)?;
    if Path::new("/etc/resolv.conf").exists() {
        fs::copy("/etc/resolv.conf", place.join("etc/resolv.conf"))?;
    }
    Ok(())
}

/// Runs a script in there, with mounts that nobody else sees and that end with it.
fn inside(place: &Path, script: &str) -> Result<()> {
    let script = format!(
        "set -e; mount -t proc proc \"$0/proc\"; exec chroot \"$0\" /usr/bin/env -i \
         HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
         NO_COLOR=1 sh -ec '{}'",
        script.replace('\'', r"'\''")
    );
    must(
        Command::new("unshare")
            .args(["--mount", "sh", "-ec", &script])
            .arg(place),
    )
}
