//! What native subjects need of the machine, for `doctor`.

use crate::{gdb, stdlib};
use elsewise_report::CheckLine;
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::personality::{self, Persona};
use nix::unistd::ftruncate;

pub fn checks() -> Vec<CheckLine> {
    let tools = elsewise_driver::checks();
    let mut checks: Vec<CheckLine> = tools
        .into_iter()
        .map(|check| CheckLine {
            name: check.name.into(),
            found: check.found,
            needed: true,
            advice: check.advice,
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
