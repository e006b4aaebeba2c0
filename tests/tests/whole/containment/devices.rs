//! Subjects that open devices, or ask what they may write.

use super::{explored, fails_unless};
use anyhow::{Result, ensure};

/// Devices do what they are told, also those that are opened to be read; a terminal gives away what is typed.
#[test]
fn devices_are_not_opened_but_those_for_everybody() -> Result<()> {
    if !elsewise_contain::has_read_only_mounts() {
        return Ok(());
    }
    let device = "if (open(argv[1], O_RDONLY | O_NOCTTY) >= 0) abort();";
    fails_unless(device, &["--no-containment"], "/dev/ptmx")?;
    let folder = tempfile::tempdir()?;
    let devices = [
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/urandom",
    ];
    let attempt = "for (int i = 1; i < argc; i++)
            if (open(argv[i], O_RDONLY) < 0 || (i <= 3 && open(argv[i], O_WRONLY) < 0)) abort();";
    let summary = explored(folder.path(), attempt, &[], &devices)?;
    ensure!(summary.findings.is_empty(), "{summary:?}");
    Ok(())
}

/// Who only asks whether something may be written is told what containment makes of it.
#[test]
fn questions_about_writing_count() -> Result<()> {
    let asks = "if (access(argv[1], W_OK) == 0) abort();";
    fails_unless(asks, &["--no-containment"], "/tmp")?;
    let folder = tempfile::tempdir()?;
    let summary = explored(folder.path(), asks, &[], &["/tmp"])?;
    let counted = summary.approximations.contains_key("refused");
    ensure!(
        counted || !elsewise_contain::has_read_only_mounts(),
        "{summary:?}"
    );
    Ok(())
}
