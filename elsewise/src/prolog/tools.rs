//! Whether SWI-Prolog is installed, and which version.

use crate::erlang::tools::said;
use elsewise_report::CheckLine;

/// For `doctor`: it is not needed for other subjects.
pub fn check() -> CheckLine {
    CheckLine {
        name: "swipl".into(),
        found: said("swipl", &["--version"]),
        needed: false,
        advice: "predicates of Prolog cannot be explored: run `apt-get install swi-prolog-nox`"
            .into(),
    }
}
