//! From code addresses to places in source.

use elsewise_explore::Location;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// Places of an executable's code, looked up when first asked for.
pub struct Symbols {
    path: PathBuf,
    /// Debug information has absolute paths; below here they are shown as a user gives them.
    here: Option<String>,
    known: FxHashMap<u64, Vec<Location>>,
}

impl Symbols {
    pub fn new(path: &Path) -> Symbols {
        Symbols {
            path: path.to_path_buf(),
            here: std::env::current_dir()
                .ok()
                .map(|folder| format!("{}/", folder.display())),
            known: FxHashMap::default(),
        }
    }

    /// Places of a stack, innermost first, inlined calls included. The first address is where
    /// the program stood when `exact`, the others are return addresses: the call is before them.
    pub fn stack(&mut self, frames: &[u64], exact: bool) -> Vec<Location> {
        let addresses: Vec<u64> = frames
            .iter()
            .enumerate()
            .map(|(index, frame)| match (index, exact) {
                (0, true) => *frame,
                _ => frame.saturating_sub(1),
            })
            .collect();
        if addresses
            .iter()
            .any(|address| !self.known.contains_key(address))
        {
            self.look_up(&addresses);
        }
        addresses
            .iter()
            .filter_map(|address| self.known.get(address))
            .flatten()
            .filter(|place| !is_ours(&place.function))
            .cloned()
            .collect()
    }

    fn look_up(&mut self, addresses: &[u64]) {
        // A program without readable debug information has findings without places.
        let loader = addr2line::Loader::new(&self.path).ok();
        for address in addresses {
            let places = loader
                .as_ref()
                .map(|loader| places(loader, *address, self.here.as_deref()))
                .unwrap_or_default();
            self.known.insert(*address, places);
        }
    }
}

fn places(loader: &addr2line::Loader, address: u64, here: Option<&str>) -> Vec<Location> {
    let mut out = Vec::new();
    let Ok(mut frames) = loader.find_frames(address) else {
        return out;
    };
    while let Ok(Some(frame)) = frames.next() {
        let Some(location) = frame.location else {
            continue;
        };
        let file = location.file.unwrap_or_default();
        let file = here
            .and_then(|here| file.strip_prefix(here))
            .unwrap_or(file);
        out.push(Location {
            file: file.to_string(),
            line: location.line.unwrap_or(0),
            column: location.column.unwrap_or(0),
            function: frame
                .function
                .and_then(|name| name.raw_name().ok().map(|name| name.into_owned()))
                .unwrap_or_default(),
        });
    }
    out
}

/// Functions of the runtime and of what the plain build has in its place.
fn is_ours(function: &str) -> bool {
    function.starts_with("elsewise_") || function.starts_with("__elw_")
}
