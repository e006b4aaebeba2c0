//! Faults of Elsewise's own: a panic becomes one line and exit code 70.

use crate::output;
use elsewise_frontend::Exit;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, PoisonError};

/// Carries out `work`. A panic in it, or in a thread whose panic reaches it, ends in [`Exit::Fault`]
/// with a line that says how to report it.
pub fn guard<T: From<Exit>>(work: impl FnOnce() -> T) -> T {
    let first = Arc::new(Mutex::new(None));
    let seen = Arc::clone(&first);
    // The first panic is the cause; what follows from it is noise.
    panic::set_hook(Box::new(move |info| {
        let text = info.payload_as_str().unwrap_or("no message").to_string();
        let place = info.location().map(|place| place.to_string());
        seen.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert((text, place.unwrap_or_default()));
    }));
    // Nothing of `work` is used after a panic, so nothing half-changed can be seen.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    // Back to the default: what is set here must not outlive the command.
    let _ = panic::take_hook();
    result.unwrap_or_else(|_| {
        let (text, place) = first
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
            .unwrap_or_default();
        output::note(&message(&text, &place));
        Exit::Fault.into()
    })
}

fn message(text: &str, place: &str) -> String {
    let text = elsewise_report::escape_text(text);
    format!(
        "elsewise {}: a fault of its own: {text} ({place}); the campaign is kept. Please report \
         this line with the command that led to it and the output of `elsewise doctor`",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_with_the_code_for_own_faults() {
        assert_eq!(guard::<Exit>(|| panic!("index out of bounds")), Exit::Fault);
        assert_eq!(guard(|| Exit::Findings), Exit::Findings);
    }

    #[test]
    fn the_line_says_how_to_report_it() {
        let line = message("index\nout of bounds", "src/x.rs:1:2");
        assert!(!line.contains('\n'));
        assert!(line.contains("index\\nout of bounds (src/x.rs:1:2)"));
        assert!(line.contains("Please report"));
    }
}
