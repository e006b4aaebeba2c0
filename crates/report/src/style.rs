//! The few styles that all views use, and how they are put around text.

use anstyle::{AnsiColor, Style};

/// A heading.
pub const HEADING: Style = Style::new().bold();
/// A failure, an error.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// Something given up, a warning.
pub const WARN: Style = AnsiColor::Yellow.on_default().bold();
/// Something as it should be.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// A name or a command to copy.
pub const NAME: Style = AnsiColor::Cyan.on_default();
/// Beside the point.
pub const DIM: Style = Style::new().dimmed();

/// `text` in `style`.
pub fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}
