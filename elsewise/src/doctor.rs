//! `doctor`: is everything there that is needed?

use crate::args::{DoctorArgs, Format};
use crate::exit::{Exit, Problem};
use crate::{erlang, gdb, output, prolog, stdlib};
use elsewise_report::{CheckLine, checks_text};
use elsewise_solve::Z3;
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::personality::{self, Persona};
use nix::unistd::ftruncate;
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
    let tools = elsewise_native::toolchain::checks();
    let mut checks: Vec<CheckLine> = tools
        .into_iter()
        .map(|check| CheckLine {
            name: check.name.into(),
            found: check.found,
            needed: true,
            advice: check.advice.into(),
        })
        .collect();
    checks.push(CheckLine {
        name: "shared memory".into(),
        found: shared_memory().then(|| "memfd_create works".into()),
        needed: true,
        advice: "runs are recorded in shared memory: allow memfd_create in this sandbox or \
                 container"
            .into(),
    });
    checks.push(CheckLine {
        name: "fixed addresses".into(),
        found: fixed_addresses().then(|| "address randomisation can be switched off".into()),
        needed: false,
        advice: "runs may not repeat exactly: allow personality(ADDR_NO_RANDOMIZE), for docker \
                 with --security-opt seccomp=unconfined"
            .into(),
    });
    checks.push(CheckLine {
        name: "landlock".into(),
        found: elsewise_native::landlock_version()
            .filter(|version| *version >= 3)
            .map(|version| format!("version {version}: subjects write only where they may")),
        needed: false,
        advice: match elsewise_native::has_read_only_mounts() {
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
        found: elsewise_native::has_namespaces()
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
        found: elsewise_native::has_read_only_mounts()
            .then(|| "subjects change no modes, owners and times of files elsewhere".into()),
        needed: false,
        advice: "subjects can change modes, owners and times of files where you can: allow \
                 namespaces as above, and use Linux 5.12 or later"
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
    checks.push(CheckLine {
        name: "gdb".into(),
        found: gdb::find().map(|path| path.display().to_string()),
        needed: false,
        advice: "`elsewise replay --gdb` needs it: run `apt-get install gdb`".into(),
    });
    checks.push(CheckLine {
        name: "C++ library".into(),
        found: stdlib::found(),
        needed: false,
        advice: "input is not followed through streams of C++: run `apt-get install \
                 gcc-12-source`, then `elsewise stdlib`, which takes some minutes once"
            .into(),
    });
    #[cfg(feature = "erlang")]
    checks.extend(erlang::tools::checks());
    #[cfg(feature = "prolog")]
    checks.push(prolog::tools::check());
    checks
}

/// A subject's trace lies in memory of this kind, larger than most of it is ever touched.
fn shared_memory() -> bool {
    memfd_create(c"elsewise-doctor", MFdFlags::MFD_CLOEXEC)
        .is_ok_and(|file| ftruncate(&file, 1 << 30).is_ok())
}

fn fixed_addresses() -> bool {
    let Ok(before) = personality::get() else {
        return false;
    };
    let allowed = personality::set(before | Persona::ADDR_NO_RANDOMIZE).is_ok();
    // Only programs started from here would notice, and none is; still, leave it as it was.
    let _ = personality::set(before);
    allowed
}

/// Asks the solver's own loader: it knows where to look.
fn solver() -> Option<String> {
    Z3::load().ok().map(|z3| z3.version())
}
