//! Where headers of LLVM are, for the build scripts of the pass and of the driver, which embeds a pass for each release.

use std::path::{Path, PathBuf};

/// Releases of LLVM that the pass can be built for, newest first.
pub const RELEASES: [u32; 5] = [22, 21, 20, 19, 18];

/// Headers of one release.
pub struct Headers {
    pub release: u32,
    pub include: PathBuf,
}

impl Headers {
    /// Of the releases that are there, newest first; one folder for each.
    ///
    /// `ELSEWISE_LLVM_INCLUDE` says where to look, in folders with colons between them. Otherwise that is where
    /// distributions put them: Debian and Ubuntu, Fedora, Arch, and last whatever release the system's own is.
    pub fn all() -> Vec<Headers> {
        println!("cargo::rerun-if-env-changed=ELSEWISE_LLVM_INCLUDE");
        let places: Vec<PathBuf> = match std::env::var_os("ELSEWISE_LLVM_INCLUDE") {
            Some(given) => std::env::split_paths(&given).collect(),
            None => RELEASES
                .iter()
                .flat_map(|release| {
                    [
                        format!("/usr/lib/llvm-{release}/include"),
                        format!("/usr/lib64/llvm{release}/include"),
                        format!("/usr/lib/llvm{release}/include"),
                    ]
                })
                .chain(["/usr/include".to_string()])
                .map(PathBuf::from)
                .collect(),
        };
        let mut all: Vec<Headers> = Vec::new();
        for include in places {
            let configuration = include.join("llvm/Config/llvm-config.h");
            // What is not there would be taken for what has changed.
            if configuration.exists() {
                println!("cargo::rerun-if-changed={}", configuration.display());
            }
            if let Some(release) = number(&configuration, "LLVM_VERSION_MAJOR")
                && RELEASES.contains(&release)
                && all.iter().all(|other| other.release != release)
            {
                all.push(Headers { release, include });
            }
        }
        all.sort_by_key(|headers| std::cmp::Reverse(headers.release));
        all
    }

    /// The header of plugins, which was moved.
    #[allow(dead_code, reason = "the driver only asks which releases there are")]
    pub fn plugin(&self) -> PathBuf {
        let moved = self.include.join("llvm/Plugins/PassPlugin.h");
        match moved.exists() {
            true => moved,
            false => self.include.join("llvm/Passes/PassPlugin.h"),
        }
    }
}

/// What a header defines a name as.
pub fn number(header: &Path, name: &str) -> Option<u32> {
    let text = std::fs::read_to_string(header).ok()?;
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let defines = words.next() == Some("#define") && words.next() == Some(name);
        defines.then(|| words.next()?.parse().ok()).flatten()
    })
}
