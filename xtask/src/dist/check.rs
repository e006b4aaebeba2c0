//! Whether the packages work on a Debian 12 that has nothing else: made with debootstrap from the
//! archive that this machine uses, and removed again.

use super::must;
use anyhow::{Context, Result, bail, ensure};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

const SUITE: &str = "bookworm";

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
"#;

pub fn run(tarball: &Path, deb: &Path) -> Result<()> {
    // SAFETY: a plain query.
    let user = unsafe { libc::geteuid() };
    ensure!(
        user == 0,
        "a Debian of its own is made by root: run `cargo xtask dist --check` as root"
    );
    let archives = archives()?;
    let first = archives
        .iter()
        .find(|archive| archive.release == SUITE)
        .with_context(|| format!("apt on this machine knows no archive of {SUITE}"))?;
    let folder = tempfile::Builder::new()
        .prefix("elsewise-dist-")
        .tempdir()?;
    let place = folder.path().join("debian");
    println!("a fresh {SUITE} from {}", first.uri);
    must(
        Command::new("debootstrap")
            .args(["--variant=minbase", SUITE])
            .arg(&place)
            .arg(&first.uri),
    )?;
    let mut sources = String::new();
    for archive in &archives {
        writeln!(
            sources,
            "deb {} {} {}",
            archive.uri, archive.release, archive.component
        )?;
    }
    fs::write(place.join("etc/apt/sources.list"), sources)?;
    if Path::new("/etc/resolv.conf").exists() {
        fs::copy("/etc/resolv.conf", place.join("etc/resolv.conf"))?;
    }
    fs::copy(deb, place.join("tmp/elsewise.deb"))?;
    fs::copy(tarball, place.join("tmp/elsewise.tar.gz"))?;
    fs::write(place.join("tmp/subject.c"), SUBJECT)?;
    fs::write(place.join("tmp/inside.sh"), INSIDE)?;
    inside(
        &place,
        "export DEBIAN_FRONTEND=noninteractive
         apt-get --quiet --quiet update
         apt-get --quiet --quiet --assume-yes --no-install-recommends install \
             /tmp/elsewise.deb libz3-4
         useradd --create-home somebody",
    )?;
    println!("installed; as root:");
    inside(&place, "sh /tmp/inside.sh")?;
    println!("as a user:");
    inside(&place, "su somebody -c 'sh /tmp/inside.sh'")?;
    println!("the packages work");
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

struct Archive {
    uri: String,
    release: String,
    component: String,
}

/// The archives of Debian that apt uses here.
fn archives() -> Result<Vec<Archive>> {
    let output = Command::new("apt-get")
        .args([
            "indextargets",
            "--format",
            "$(REPO_URI) $(RELEASE) $(COMPONENT)",
            "Created-By: Packages",
            "Origin: Debian",
        ])
        .output()
        .context("apt-get cannot be run: this check is for Debian")?;
    let text = String::from_utf8(output.stdout)?;
    let mut archives = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [uri, release, component] = words.as_slice() else {
            bail!("apt-get indextargets says `{line}`");
        };
        if release.starts_with(SUITE) {
            archives.push(Archive {
                uri: uri.to_string(),
                release: release.to_string(),
                component: component.to_string(),
            });
        }
    }
    Ok(archives)
}
