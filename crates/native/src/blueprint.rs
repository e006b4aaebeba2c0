//! From program maps and the modules that registered at start-up to what the engine knows of the
//! program before any run.

use elsewise_driver::names::HARNESS;
use elsewise_driver::standard_source;
use elsewise_explore::{Blueprint, BlueprintBlock, BlueprintFunction, Location, SiteId, SiteInfo};
use elsewise_wire::ModuleEntry;
use elsewise_wire::map::{ProgramMap, SiteKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What decoding an event needs to know of its site.
pub struct Sites {
    kinds: Vec<SiteKind>,
    cases: FxHashMap<u32, Arc<[u64]>>,
}

impl Sites {
    /// Sites of the program, without those that the front end adds.
    pub fn len(&self) -> u32 {
        self.kinds.len() as u32
    }

    pub fn kind(&self, site: u32) -> Option<SiteKind> {
        self.kinds.get(site as usize).copied()
    }

    /// Cases of a switch, in the order of its sides.
    pub fn cases(&self, site: u32) -> Option<&Arc<[u64]>> {
        self.cases.get(&site)
    }

    /// Where the front end states how long standard input may be.
    pub fn bound_site(&self) -> SiteId {
        SiteId(self.len())
    }

    /// Stands for places that the map does not know.
    pub fn elsewhere(&self) -> SiteId {
        SiteId(self.len() + 1)
    }
}

/// Joins the maps in the order in which their modules registered. The error says what does not
/// fit.
pub fn assemble(
    build: String,
    maps: &[ProgramMap],
    modules: &[ModuleEntry],
) -> Result<(Blueprint, Sites), String> {
    // Objects made from the same source twice have the same key and the same map: any will do,
    // each once.
    let mut by_key: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (index, map) in maps.iter().enumerate().rev() {
        by_key.entry(map.key).or_default().push(index);
    }
    let mut order = Vec::new();
    let (mut sites, mut sides) = (0u32, 0u32);
    for module in modules {
        let index = by_key
            .get_mut(&module.key)
            .and_then(Vec::pop)
            .ok_or_else(|| format!("a module {:#x} that has no map", module.key))?;
        let map = &maps[index];
        if module.first_site != sites
            || module.first_side != sides
            || module.sites as usize != map.sites.len()
            || module.sides != map.sides()
        {
            return Err(format!("the map of {} does not fit its code", map.source));
        }
        sites = sites
            .checked_add(module.sites)
            .filter(|sites| *sites < u32::MAX - 8)
            .ok_or("too many sites")?;
        sides = sides.checked_add(module.sides).ok_or("too many sides")?;
        order.push(index);
    }

    // An object that did not register would report its choices under another's sites.
    if let Some(index) = by_key.values().flatten().next() {
        return Err(format!(
            "{} did not register: the program has more objects or branch sides than fit",
            maps[*index].source
        ));
    }

    let external = external_functions(maps, &order);
    let mut blueprint = Blueprint {
        build,
        sides,
        ..Blueprint::default()
    };
    let mut table = Sites {
        kinds: Vec::new(),
        cases: FxHashMap::default(),
    };
    let mut seen: FxHashMap<u64, u64> = FxHashMap::default();
    for (position, index) in order.iter().enumerate() {
        add_module(
            &maps[*index],
            &modules[position],
            &external,
            &mut seen,
            &mut blueprint,
            &mut table,
        );
    }
    for site in &mut blueprint.sites {
        if site.location.file == HARNESS {
            site.location = Location {
                file: "<harness>".into(),
                ..Location::default()
            };
        }
    }
    for name in ["stdin bound", "elsewhere"] {
        let key = blake3::hash(name.as_bytes());
        blueprint.sites.push(SiteInfo {
            key: u64::from_le_bytes(key.as_bytes()[..8].try_into().unwrap_or_default()),
            location: Location {
                file: format!("<{name}>"),
                ..Location::default()
            },
            first_side: sides,
            sides: 0,
            hidden: true,
            ..SiteInfo::default()
        });
    }
    Ok((blueprint, table))
}

/// Index in the blueprint of every function that other objects can call.
fn external_functions<'a>(maps: &'a [ProgramMap], order: &[usize]) -> FxHashMap<&'a str, u32> {
    let mut external = FxHashMap::default();
    let mut next = 0u32;
    for index in order {
        for function in &maps[*index].functions {
            if function.external {
                external.entry(function.name.as_str()).or_insert(next);
            }
            next += 1;
        }
    }
    external
}

fn add_module(
    map: &ProgramMap,
    module: &ModuleEntry,
    external: &FxHashMap<&str, u32>,
    seen: &mut FxHashMap<u64, u64>,
    blueprint: &mut Blueprint,
    table: &mut Sites,
) {
    for (index, site) in map.sites.iter().enumerate() {
        // The same code linked twice has the same keys twice; a key must name one site.
        let times = seen.entry(site.key).or_default();
        let key = site
            .key
            .wrapping_add(times.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        *times += 1;
        let function = map.functions.get(site.function as usize);
        let file = map.files.get(site.file as usize);
        blueprint.sites.push(SiteInfo {
            key,
            location: Location {
                file: file.map_or_else(String::new, |file| {
                    standard_source::named(file, None).into_owned()
                }),
                line: site.line,
                column: site.column,
                function: function.map(|f| f.name.clone()).unwrap_or_default(),
            },
            first_side: module.first_side + site.first_side,
            sides: site.sides,
            // Models of library functions and the standard library are no part of the program, and
            // what has no line is the compiler's own (which of several ways out of a block is
            // taken).
            hidden: site.line == 0
                || file.is_some_and(|file| standard_source::is_source(file))
                || function.is_some_and(|f| f.name.starts_with("__elw_")),
            inserted: false,
            clauses: false,
            callee: site
                .callee
                .and_then(|callee| map.callees.get(callee as usize))
                .cloned()
                .unwrap_or_default(),
        });
        table.kinds.push(site.kind);
        if site.kind == SiteKind::Switch {
            table.cases.insert(
                module.first_site + index as u32,
                site.cases.as_slice().into(),
            );
        }
    }
    for site in inserted(map) {
        if let Some(site) = blueprint.sites.get_mut((module.first_site + site) as usize) {
            site.inserted = true;
        }
    }
    let first = blueprint.functions.len() as u32;
    let local: FxHashMap<&str, u32> = map
        .functions
        .iter()
        .enumerate()
        .map(|(index, function)| (function.name.as_str(), first + index as u32))
        .collect();
    for function in &map.functions {
        let blocks = function.blocks.iter().map(|block| BlueprintBlock {
            successors: block.successors.clone(),
            calls: block
                .calls
                .iter()
                .filter_map(|name| {
                    local
                        .get(name.as_str())
                        .or_else(|| external.get(name.as_str()))
                        .copied()
                })
                .collect(),
            site: block.site.map(|site| SiteId(module.first_site + site)),
        });
        blueprint.functions.push(BlueprintFunction {
            name: function.name.clone(),
            blocks: blocks.collect(),
        });
    }
}

/// How functions are called that a check of the sanitizer for undefined behaviour calls where it does not hold.
const HANDLER: &str = "__ubsan_handle_";

/// Sites that are such checks: one way out leads to nothing but a report.
fn inserted(map: &ProgramMap) -> Vec<u32> {
    let mut found = Vec::new();
    for function in &map.functions {
        let reports = |block: &u32| {
            let block = function.blocks.get(*block as usize);
            block.is_some_and(|block| {
                block.site.is_none() && block.calls.iter().any(|call| call.starts_with(HANDLER))
            })
        };
        for block in &function.blocks {
            if let Some(site) = block.site
                && block.successors.len() == 2
                && block.successors.iter().any(reports)
            {
                found.push(site);
            }
        }
    }
    found
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use elsewise_driver::{Cache, Program};
    use elsewise_test_random::Random;
    use elsewise_wire::map::{Block, Function, Site};
    use std::fs;

    /// A module with a branch, a switch on 1 and 200, a value site and an assumption.
    pub fn sample(key: u64, calls: &str) -> ProgramMap {
        let site = |kind, first_side: u32, sides, cases: &[u64]| Site {
            kind,
            key: first_side.into(),
            line: 10 + first_side,
            first_side,
            sides,
            cases: cases.to_vec(),
            ..Site::default()
        };
        ProgramMap {
            key,
            source: format!("{key}.c"),
            files: vec![format!("{key}.c")],
            functions: vec![Function {
                name: format!("f{key}"),
                external: true,
                blocks: vec![
                    Block {
                        successors: vec![1, 1],
                        calls: vec![calls.to_string(), "printf".into()],
                        site: Some(0),
                    },
                    Block::default(),
                ],
                ..Function::default()
            }],
            callees: Vec::new(),
            sites: vec![
                site(SiteKind::Branch, 0, 2, &[]),
                site(SiteKind::Switch, 2, 3, &[1, 200]),
                site(SiteKind::Value, 5, 0, &[]),
                site(SiteKind::Assume, 5, 0, &[]),
            ],
        }
    }

    pub fn entry(key: u64, first_site: u32, first_side: u32) -> ModuleEntry {
        ModuleEntry {
            key,
            first_site,
            sites: 4,
            first_side,
            sides: 5,
        }
    }

    #[test]
    fn modules_come_in_the_order_in_which_they_registered() {
        let maps = [sample(1, "f2"), sample(2, "f1")];
        let modules = [entry(2, 0, 0), entry(1, 4, 5)];
        let (blueprint, sites) = assemble("b".into(), &maps, &modules).unwrap();
        assert_eq!(sites.len(), 8);
        assert_eq!(blueprint.sides, 10);
        assert_eq!(blueprint.sites.len(), 8 + 2);
        assert_eq!(blueprint.sites[0].location.file, "2.c");
        assert_eq!(blueprint.sites[5].first_side, 7);
        assert_eq!(blueprint.functions[0].blocks[0].calls, [1]);
        assert_eq!(blueprint.functions[1].blocks[0].calls, [0]);
        assert_eq!(blueprint.functions[1].blocks[0].site, Some(SiteId(4)));
        assert_eq!(sites.cases(5).unwrap()[..], [1, 200]);
        assert_ne!(blueprint.sites[0].key, blueprint.sites[4].key);
    }

    #[test]
    fn the_same_object_twice() {
        let maps = [sample(1, ""), sample(1, "")];
        let modules = [entry(1, 0, 0), entry(1, 4, 5)];
        assert!(assemble(String::new(), &maps, &modules).is_ok());
        assert!(assemble(String::new(), &maps[..1], &modules).is_err());
        assert!(assemble(String::new(), &maps, &modules[..1]).is_err());
    }

    #[test]
    fn modules_that_do_not_fit_are_refused() {
        let maps = [sample(1, "")];
        let mut odd = entry(1, 0, 0);
        odd.sites = 5;
        for module in [entry(2, 0, 0), entry(1, 1, 0), entry(1, 0, 1), odd] {
            assert!(assemble(String::new(), &maps, &[module]).is_err());
        }
    }
    /// The modules as the runtime would register them.
    fn modules(maps: &[ProgramMap]) -> Vec<ModuleEntry> {
        let (mut first_site, mut first_side) = (0u32, 0u32);
        let mut out = Vec::new();
        for map in maps {
            out.push(ModuleEntry {
                key: map.key,
                first_site,
                sites: map.sites.len() as u32,
                first_side,
                sides: map.sides(),
            });
            first_site += map.sites.len() as u32;
            first_side = first_side.saturating_add(map.sides());
        }
        out
    }

    #[test]
    fn no_damage_to_a_map_makes_joining_it_panic() {
        const SOURCE: &str = "
            int f(int x) { switch (x) { case 1: return 2; case 9: return 3; } return x > 4; }
            int main(int argc, char **argv) { return f(argc) ? argv[0][0] : 0; }";
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("subject.c");
        fs::write(&file, SOURCE).unwrap();
        let cache = Cache::at(folder.path().join("cache"));
        let program = Program::from_source_with(&[file], &[], folder.path(), &cache).unwrap();
        assert!(assemble(String::new(), &program.maps, &modules(&program.maps)).is_ok());
        let whole: Vec<u8> = program.maps.iter().flat_map(ProgramMap::encode).collect();
        let mut random = Random::new(0x5eed);
        let (mut good, mut bad) = (0, 0);
        let mut bytes = whole.clone();
        let rounds = std::env::var("ELSEWISE_MUTATIONS").map_or(20_000, |n| n.parse().unwrap());
        for _ in 0..rounds {
            let touched: Vec<usize> = (0..1 + random.below(3))
                .map(|_| random.below(whole.len()))
                .collect();
            for at in &touched {
                bytes[*at] = random.below(256) as u8;
            }
            match ProgramMap::decode_all(&bytes) {
                Ok(maps) => {
                    good += 1;
                    // Nothing about the result matters but that there is one.
                    let _ = assemble(String::new(), &maps, &modules(&maps));
                }
                Err(_) => bad += 1,
            }
            for at in touched {
                bytes[at] = whole[at];
            }
        }
        assert!(good > 100 && bad > 100, "{good} good, {bad} bad");
    }
}
