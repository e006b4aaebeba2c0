//! The list of front ends, and what is asked of all of them.

use crate::error::VerbError;
use elsewise_frontend::flags::Flags;
use elsewise_frontend::record::SavedRecord;
use elsewise_frontend::{BytesOnly, FrontEnd, Problem, SavedSubject, Target};
use elsewise_report::html::{PLAIN, Syntax};
use std::path::Path;
use std::sync::OnceLock;

/// Front ends, as they are asked in turn what a word means. Whatever no other wants is a native program.
pub static ALL: &[&dyn FrontEnd] = &[
    #[cfg(feature = "erlang")]
    &elsewise_erlang_frontend::FRONT_END,
    #[cfg(feature = "prolog")]
    &elsewise_prolog_frontend::FRONT_END,
    #[cfg(feature = "statechart")]
    &elsewise_statechart_frontend::FRONT_END,
    &elsewise_native_frontend::FRONT_END,
];

static INSTALLED: OnceLock<&'static [&'static dyn FrontEnd]> = OnceLock::new();

/// Says which front ends there are, for as long as this process lives.
pub fn install(front_ends: &'static [&'static dyn FrontEnd]) {
    INSTALLED.get_or_init(|| front_ends);
}

pub fn all() -> &'static [&'static dyn FrontEnd] {
    INSTALLED.get_or_init(|| ALL)
}

/// In the order in which they are shown: what most people want first.
pub fn shown() -> impl Iterator<Item = &'static &'static dyn FrontEnd> {
    all().iter().rev()
}

/// What the words of a command name, and whose that is.
pub fn target(
    words: &[String],
    flags: &Flags,
) -> Result<(&'static dyn FrontEnd, Box<dyn Target>), Problem> {
    for front_end in all() {
        if let Some(target) = front_end.target(words, flags)? {
            return Ok((*front_end, target));
        }
    }
    let forms = shown().flat_map(|one| one.forms());
    let forms = forms.map(|form| form.text).collect();
    let words = words.to_vec();
    Err(VerbError::UnknownSubject { words, forms }.into())
}

/// What a campaign has saved of its subject.
pub fn saved(campaign: &Path) -> Result<Box<dyn SavedSubject>, Problem> {
    let Some(saved) = SavedRecord::read(campaign)? else {
        return Ok(Box::new(BytesOnly::of(campaign)));
    };
    let known = all().iter().find(|one| one.name() == saved.kind);
    match known {
        Some(front_end) => front_end.reopen(saved),
        None => {
            let campaign = campaign.to_path_buf();
            let kind = saved.kind;
            Err(VerbError::UnknownKind { campaign, kind }.into())
        }
    }
}

/// The same for views that show less where it cannot be read.
pub fn saved_or_bytes(campaign: &Path) -> Box<dyn SavedSubject> {
    saved(campaign).unwrap_or_else(|_| Box::new(BytesOnly::of(campaign)))
}

/// How a file is coloured.
pub fn syntax(file: &str) -> &'static Syntax {
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    let mut syntaxes = all().iter().flat_map(|one| one.syntaxes());
    let found = syntaxes.find(|syntax| syntax.endings.contains(&ending));
    found.unwrap_or(&PLAIN)
}
