//! What is known of a program without running it: its sites and their sides.

use crate::program::Program;
use elsewise_explore::{Blueprint, Location, SiteInfo};
use std::path::Path;

pub fn blueprint(program: &Program, file: &Path, reachable: &[bool]) -> Blueprint {
    use std::hash::{Hash, Hasher};
    let mut build = rustc_hash::FxHasher::default();
    file.hash(&mut build);
    let mut sites = Vec::new();
    let mut sides = 0;
    for (index, site) in program.sites.iter().enumerate() {
        let module = program.modules.get(site.module);
        let mut key = rustc_hash::FxHasher::default();
        (index, site.line, &site.function).hash(&mut key);
        (site.line, site.sides, &site.function).hash(&mut build);
        let there = reachable.get(site.home).copied().unwrap_or(true);
        let count = if site.decides && there { site.sides } else { 0 };
        sites.push(SiteInfo {
            key: key.finish(),
            location: Location {
                file: module.map_or(String::new(), |module| module.file.clone()),
                line: site.line,
                column: site.column,
                function: site.function.clone(),
            },
            first_side: sides,
            sides: count,
            hidden: module.is_none_or(|module| module.hidden),
            clauses: site.decides,
            callee: String::new(),
        });
        sides += count;
    }
    Blueprint {
        build: format!("{:016x}", build.finish()),
        sites,
        functions: Vec::new(),
        sides,
    }
}
