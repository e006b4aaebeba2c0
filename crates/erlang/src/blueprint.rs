//! What is known of a program without running it: its sites and their sides.

use crate::program::Program;
use elsewise_explore::{Blueprint, Location, SiteInfo};
use std::path::Path;

pub fn blueprint(program: &Program, file: &Path, reachable: &[bool]) -> Blueprint {
    use std::hash::{Hash, Hasher};
    let mut sites = Vec::new();
    let mut sides = 0;
    for (index, site) in program.sites.iter().enumerate() {
        let module = program.modules.get(site.module);
        let mut key = rustc_hash::FxHasher::default();
        (index, site.line, &site.function).hash(&mut key);
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
            inserted: false,
            clauses: site.decides,
            callee: String::new(),
        });
        sides += count;
    }
    let functions = program.functions.iter();
    let functions: Vec<_> = functions
        .map(|one| (&one.module, &one.name, one.line, &one.parameters, &one.body))
        .collect();
    let build = Blueprint::build_of(&[
        &file,
        &program.sites,
        &program.modules,
        &functions,
        &program.lambdas,
    ]);
    Blueprint {
        build,
        sites,
        functions: Vec::new(),
        sides,
    }
}
