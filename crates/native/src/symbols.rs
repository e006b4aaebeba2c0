//! From code addresses to places in source.

use crate::mapped::Mapped;
use elsewise_driver::names::{CHECK, HARNESS};
use elsewise_driver::standard_source;
use elsewise_explore::Location;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// Addresses below are counted from the beginning of the executable.
const BELOW_LIBRARIES: u64 = 1 << 40;

/// Places of a program's code, looked up when first asked for.
pub struct Symbols {
    path: PathBuf,
    /// The instrumented shared libraries, at the addresses where they are loaded.
    libraries: Vec<Mapped>,
    /// Debug information has absolute paths; below here they are shown as a user gives them.
    here: Option<String>,
    known: FxHashMap<u64, Vec<Location>>,
}

impl Symbols {
    pub fn new(path: &Path) -> Symbols {
        Symbols {
            path: path.to_path_buf(),
            libraries: Vec::new(),
            here: std::env::current_dir()
                .ok()
                .map(|folder| format!("{}/", folder.display())),
            known: FxHashMap::default(),
        }
    }

    /// With shared libraries, whose frames are told by their addresses.
    pub fn with_libraries(self, libraries: Vec<Mapped>) -> Symbols {
        Symbols { libraries, ..self }
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
            .filter(|place| !is_ours(place))
            .cloned()
            .collect()
    }

    fn look_up(&mut self, addresses: &[u64]) {
        // Programs and libraries without readable debug information have findings without places.
        let whole = |mapped: &Mapped| (mapped.low..mapped.high, mapped.low, mapped.path.clone());
        let files = std::iter::once((0..BELOW_LIBRARIES, 0, self.path.clone()))
            .chain(self.libraries.iter().map(whole));
        let mut unknown: Vec<u64> = addresses.to_vec();
        for (range, base, path) in files {
            let inside: Vec<u64> = addresses
                .iter()
                .copied()
                .filter(|address| range.contains(address))
                .collect();
            if inside.is_empty() {
                continue;
            }
            unknown.retain(|address| !range.contains(address));
            let loader = addr2line::Loader::new(&path).ok();
            for address in inside {
                let places = loader
                    .as_ref()
                    .map(|loader| places(loader, address - base, self.here.as_deref()))
                    .unwrap_or_default();
                self.known.insert(address, places);
            }
        }
        for address in unknown {
            self.known.insert(address, Vec::new());
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
        out.push(Location {
            file: standard_source::named(file, here).into_owned(),
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

/// Functions of the runtime, of what the plain build has in its place, of a harness that was written
/// for a function, and models of the library's.
pub fn is_ours(place: &Location) -> bool {
    let function = &place.function;
    let is_model = place.file.starts_with("elsewise-models/");
    let in_harness = place.file == HARNESS || function == CHECK;
    is_model || in_harness || function.starts_with("elsewise_") || function.starts_with("__elw_")
}
