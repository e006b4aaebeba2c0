//! The page of the book on system calls, written from the table that containment is made from.

use crate::repository::Repository;
use anyhow::{Context, Result};
use elsewise_wire::calls::{EACCES, ENOSYS, EPERM, Verdict, calls};
use std::fmt::Write as _;

pub const FILE: &str = "docs/src/system-calls.md";

const HEAD: &str = "\
<!-- written by `cargo xtask calls` -->

# System calls

What [containment](containment.md) says of each system call of Linux on x86-64. The filter that subjects run under
is made from the same table. A number that is not in it, as newer kernels have, is refused with `ENOSYS`, and so is
every call of the 32-bit and x32 interfaces.

- **allowed**: whatever its arguments are.
- **ruled**: some of it is refused, by what stands in the fourth column.
- **refused**: with this error. Some are refused in some runs only, which is said.

| ruled by | what it is |
|---|---|
| files | Landlock and the mount namespace: files are changed below the run's directory and what `--allow-write` names |
| mounts | the mount namespace, in which all else is read-only; without one nothing of ours: what the user may change can be changed |
| processes | the pid namespace; without one, Landlock from Linux 6.12 on, and nothing before |
| rights | capabilities: a subject that runs as root keeps none that concern the whole system |
| limits | resource limits, and what is looked at during a run |
| sockets | needs a socket, and these are refused where they are made |
| arguments | the filter looks at the arguments |
| arguments of others | the same, where there is no pid namespace |
";

fn name(errno: u16) -> &'static str {
    match errno {
        EPERM => "EPERM",
        EACCES => "EACCES",
        ENOSYS => "ENOSYS",
        _ => "an error",
    }
}

/// The kind of a verdict, and what goes with it.
fn told(verdict: Verdict) -> (&'static str, String) {
    let ruled = |by: &str| ("ruled", by.to_owned());
    let refused = |errno, unless: &str| ("refused", format!("`{}`{unless}", name(errno)));
    match verdict {
        Verdict::Allowed => ("allowed", String::new()),
        Verdict::Files => ruled("files"),
        Verdict::Attributes => ruled("mounts"),
        Verdict::Processes => ruled("processes"),
        Verdict::Rights => ruled("rights"),
        Verdict::Limits => ruled("limits"),
        Verdict::Connected => ruled("sockets"),
        Verdict::Arguments => ruled("arguments"),
        Verdict::Foreign => ruled("arguments of others"),
        Verdict::Network(errno) => refused(errno, " without `--allow-network`"),
        Verdict::Tracing(errno) => refused(errno, " but under a sanitizer that looks for leaks"),
        Verdict::Namespace(errno) => refused(errno, " where there is no namespace"),
        Verdict::Refused(errno) => refused(errno, ""),
        Verdict::Gone => refused(ENOSYS, ""),
    }
}

pub fn page() -> Result<String> {
    let mut counts = [("allowed", 0), ("ruled", 0), ("refused", 0)];
    let mut rows = String::new();
    for call in calls() {
        let (kind, with) = told(call.verdict);
        for (name, count) in &mut counts {
            *count += u32::from(*name == kind);
        }
        let (number, name, reason) = (call.number, call.name, call.reason);
        writeln!(rows, "| {number} | `{name}` | {kind} | {with} | {reason} |")?;
    }
    let [allowed, ruled, refused] = counts.map(|(_, count)| count);
    let all = allowed + ruled + refused;
    let mut page = HEAD.to_owned();
    writeln!(
        page,
        "\nOf {all} calls, {allowed} are allowed, {ruled} ruled, and {refused} refused.\n"
    )?;
    page.push_str("| number | call | is | by, or with | because |\n|--:|---|---|---|---|\n");
    page.push_str(&rows);
    Ok(page)
}

/// Writes the page anew; whether that changed anything.
pub fn write(repository: &Repository) -> Result<bool> {
    let page = page()?;
    if repository.read(FILE).is_ok_and(|text| text == page) {
        return Ok(false);
    }
    std::fs::write(repository.path(FILE), page).with_context(|| format!("cannot write {FILE}"))?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_row_for_every_call() {
        let page = page().unwrap();
        assert!(page.contains("| 165 | `mount` | refused | `EPERM` | changes what is mounted |"));
        assert!(page.contains("| 0 | `read` | allowed |  |"));
        assert!(page.contains("| 16 | `ioctl` | ruled | arguments |"));
        let rows = page.lines().filter(|line| line.contains(" | `")).count();
        assert_eq!(rows, calls().count());
    }
}
