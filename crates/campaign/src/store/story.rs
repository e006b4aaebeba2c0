//! What the threads of a finding's run did, as a file in its folder: a line for each move, each beginning
//! and end of an operation, and what each thread waits for in vain (`move`, `call`, `wait` and for whom),
//! with the thread's number, file, line, function and a note, apart by tabs.

use crate::{CampaignError, is_link, read_unlinked_text};
use elsewise_explore::{Location, StoryKind, StoryLine};
use std::fs;
use std::path::Path;

/// The file; no input has this name.
pub const STORY: &str = "%story";

/// Nothing is written where nothing is to be told.
pub(crate) fn write_story(folder: &Path, story: &[StoryLine]) -> Result<(), CampaignError> {
    let path = folder.join(STORY);
    if story.is_empty() {
        return Ok(());
    }
    let line = |one: &StoryLine| {
        let place = &one.place;
        let words = [&place.file, &place.function, &one.note];
        let [file, function, note] = words.map(|word| word.replace(['\t', '\n', '\r'], " "));
        let (thread, line) = (one.thread, place.line);
        let kind = match one.kind {
            StoryKind::Move => "move".to_string(),
            StoryKind::Call => "call".to_string(),
            StoryKind::Wait(None) => "wait".to_string(),
            StoryKind::Wait(Some(other)) => format!("wait {other}"),
        };
        format!("{kind}\t{thread}\t{file}\t{line}\t{function}\t{note}\n")
    };
    let text: String = story.iter().map(line).collect();
    fs::write(&path, text).map_err(CampaignError::io("write", &path))
}

/// The story in a finding's folder; empty if there is none that can be read.
pub fn read_story(folder: &Path) -> Vec<StoryLine> {
    if is_link(folder) {
        return Vec::new();
    }
    let text = read_unlinked_text(&folder.join(STORY)).unwrap_or_default();
    let line = |line: &str| {
        let mut words = line.split('\t');
        let kind = match words.next()? {
            "move" => StoryKind::Move,
            "call" => StoryKind::Call,
            "wait" => StoryKind::Wait(None),
            other => StoryKind::Wait(Some(other.strip_prefix("wait ")?.parse().ok()?)),
        };
        let thread = words.next()?.parse().ok()?;
        let file = words.next()?.to_string();
        let number = words.next()?.parse().ok()?;
        let function = words.next()?.to_string();
        let note = words.next()?.to_string();
        Some(StoryLine {
            kind,
            thread,
            place: Location {
                file,
                line: number,
                column: 0,
                function,
            },
            note,
        })
    };
    text.lines()
        .map(line)
        .collect::<Option<_>>()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_story(folder.path()), []);
        let line = |thread, file: &str, note: &str| StoryLine {
            kind: StoryKind::Move,
            thread,
            place: Location {
                file: file.into(),
                line: 7,
                column: 0,
                function: "f".into(),
            },
            note: note.into(),
        };
        let mut story = [0, 65, 65, 1].map(|thread| line(thread, "a b.c", "begins f"));
        story[0].note.clear();
        story[1].place.file.clear();
        story[1].kind = StoryKind::Call;
        story[2].kind = StoryKind::Wait(None);
        story[3].kind = StoryKind::Wait(Some(65));
        write_story(folder.path(), &story).unwrap();
        assert_eq!(read_story(folder.path()), story);
        // A name cannot make lines of its own.
        write_story(folder.path(), &[line(1, "a\n2\tb", "")]).unwrap();
        assert_eq!(read_story(folder.path()), [line(1, "a 2 b", "")]);
        for other in ["move\t1\tx\n", "wait x\t1\tx\t7\tf\t\n"] {
            fs::write(folder.path().join(STORY), other).unwrap();
            assert_eq!(read_story(folder.path()), []);
        }
    }
}
