//! The environment of a subject: what it has of the engine's, besides what its command says itself.
//!
//! Contained, it gets none of what is the engine's own, nor by what the engine shows others who it is: inputs that are
//! found may depend on what a subject has read, and are kept, shown and sent to others. In a fleet, where inputs travel and
//! all members must run the same subject in the same environment, it gets a few variables and no others.

use crate::Containment;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

/// What programs need to find others, and to speak as their user wants them to.
const COMMON: [&str; 11] = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM", "LC_*",
];

/// What is the engine's own, and by what it shows others who it is: servers of fleets, collectors of spans, buckets.
const OURS: [&str; 6] = [
    "ELSEWISE_*",
    "OTEL_EXPORTER_*",
    "AWS_*",
    "AZURE_*",
    "GOOGLE_*",
    "SERVICE_ACCOUNT",
];

/// Takes from a command what its process is not to have of the engine's environment.
pub fn narrow(command: &mut Command, containment: &Containment) {
    let said: Vec<_> = command
        .get_envs()
        .map(|(name, _)| name.to_owned())
        .collect();
    for (name, _) in std::env::vars_os() {
        if !said.contains(&name) && !has(containment, &name) {
            command.env_remove(name);
        }
    }
}

fn has(containment: &Containment, name: &OsStr) -> bool {
    match (containment.common_environment, containment.on) {
        (true, _) => is_one_of(&COMMON, name),
        (false, true) => !is_one_of(&OURS, name),
        (false, false) => true,
    }
}

fn is_one_of(names: &[&str], name: &OsStr) -> bool {
    names.iter().any(|known| match known.strip_suffix('*') {
        Some(begin) => name.as_bytes().starts_with(begin.as_bytes()),
        None => name == *known,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_has_no_secrets_of_the_engines() {
        let usual = Containment::default();
        let fleet = Containment {
            common_environment: true,
            ..Containment::default()
        };
        let free = Containment::off();
        for (name, expected) in [
            ("PATH", [true, true, true]),
            ("LC_ALL", [true, true, true]),
            ("EDITOR", [true, false, true]),
            ("GITHUB_TOKEN", [true, false, true]),
            ("PLACE", [true, false, true]),
            ("LD_PRELOAD", [true, false, true]),
            ("PATHS", [true, false, true]),
            ("ELSEWISE_FLEET_CREDENTIALS", [false, false, true]),
            ("AWS_SECRET_ACCESS_KEY", [false, false, true]),
            ("AZURE_STORAGE_ACCOUNT_KEY", [false, false, true]),
            ("GOOGLE_APPLICATION_CREDENTIALS", [false, false, true]),
            ("OTEL_EXPORTER_OTLP_HEADERS", [false, false, true]),
        ] {
            let seen = [&usual, &fleet, &free].map(|how| has(how, name.as_ref()));
            assert_eq!(seen, expected, "{name}");
        }
    }

    #[test]
    fn what_a_command_says_stays() {
        let mut command = Command::new("true");
        command.env("CARGO_PKG_NAME", "said");
        let fleet = Containment {
            common_environment: true,
            ..Containment::default()
        };
        narrow(&mut command, &fleet);
        let value = |wanted: &str| {
            let mut all = command.get_envs();
            let found = all.find(|(name, _)| *name == wanted);
            found.map(|(_, value)| value.map(|it| it.to_string_lossy().into_owned()))
        };
        assert_eq!(value("CARGO_PKG_NAME"), Some(Some("said".to_owned())));
        // Cargo says it to this test.
        assert_eq!(value("CARGO_MANIFEST_DIR"), Some(None));
        assert_eq!(value("PATH"), None);
    }
}
