//! `doctor`: is everything there that is needed?

use crate::args::DoctorArgs;
use crate::{languages, output};
use elsewise_frontend::verbs::Format;
use elsewise_frontend::{Exit, Problem};
use elsewise_report::{CheckLine, checks_text};
use elsewise_solve::Z3;
use serde::Serialize;

#[derive(Serialize)]
struct Diagnosis {
    schema: u32,
    ready: bool,
    checks: Vec<CheckLine>,
}

pub fn doctor(args: &DoctorArgs) -> Result<Exit, Problem> {
    let checks = checks();
    let ready = checks
        .iter()
        .all(|check| check.found.is_some() || !check.needed);
    match args.format {
        Format::Text => output::text(&checks_text(&checks)),
        Format::Json => output::json(&Diagnosis {
            schema: 1,
            ready,
            checks,
        })?,
    }
    Ok(if ready { Exit::Clean } else { Exit::Subject })
}

fn checks() -> Vec<CheckLine> {
    let mut checks: Vec<CheckLine> = languages::shown().flat_map(|one| one.tools()).collect();
    checks.push(CheckLine {
        name: "landlock".into(),
        found: elsewise_contain::landlock_version()
            .filter(|version| *version >= 3)
            .map(|version| format!("version {version}: subjects write only where they may")),
        needed: false,
        advice: match elsewise_contain::has_read_only_mounts() {
            true => {
                "subjects can write to devices and pipes where you can: use Linux 6.2 or later \
                     with lsm=landlock, or do not explore as root"
            }
            false => {
                "subjects can write wherever you can: use Linux 6.2 or later with lsm=landlock"
            }
        }
        .into(),
    });
    checks.push(CheckLine {
        name: "namespaces".into(),
        found: elsewise_contain::has_namespaces()
            .then(|| "subjects cannot name processes but their own".into()),
        needed: false,
        advice:
            "processes of a subject are found by descent, which is slower, and daemons may stay \
                 when Elsewise is killed: allow user namespaces (kernel.unprivileged_userns_clone, \
                 kernel.apparmor_restrict_unprivileged_userns, for docker --security-opt \
                 seccomp=unconfined)"
                .into(),
    });
    checks.push(CheckLine {
        name: "read-only mounts".into(),
        found: elsewise_contain::has_read_only_mounts()
            .then(|| "subjects change no modes, owners and times of files elsewhere".into()),
        needed: false,
        advice:
            "subjects can change modes, owners and times of files, and open devices, where you \
                 can: allow namespaces as above, and use Linux 5.12 or later"
                .into(),
    });
    checks.push(CheckLine {
        name: "libz3".into(),
        found: solver(),
        needed: false,
        advice: "queries that the built-in solver gives up are not tried again: run `apt-get \
                 install libz3-dev` or `pip install z3-solver`, or set ELSEWISE_LIBZ3"
            .into(),
    });
    checks
}

/// Asks the solver's own loader: it knows where to look.
fn solver() -> Option<String> {
    Z3::load().ok().map(|z3| z3.version())
}
