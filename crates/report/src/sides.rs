//! What became of each side of each choice in the source: taken, proved impossible to take, or
//! missed, and why.

use crate::numbers::{count, plural};
use elsewise_campaign::Survey;
use elsewise_explore::{
    ApproximationKind, Kind, PositionId, Reason, SideId, SiteId, SiteInfo, State,
};
use std::collections::BTreeMap;

/// What became of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Covered,
    /// The campaign is complete: within its bounds no case takes it.
    Unreachable,
    /// No run took it, though runs made the choice.
    Missed,
    /// No run made the choice at all.
    Far,
}

/// One way out of a site, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideView {
    pub side: SideId,
    pub site: SiteId,
    /// `true`, `false`, `case 2`, `default`.
    pub way: String,
    pub fate: Fate,
    /// Why no run took it; empty where one did.
    pub why: String,
}

/// What the tree knows of the alternatives that stand for one side.
#[derive(Clone, Debug, Default)]
struct Tried {
    open: u64,
    impossible: u64,
    subsumed: u64,
    given_up: BTreeMap<Reason, u64>,
}

/// All sides that people are shown, in their order.
pub fn sides(survey: &Survey, complete: bool) -> Vec<SideView> {
    let tried = tried(survey);
    let covered = |side: u32| survey.coverage.contains(SideId(side));
    let concrete = Concrete::new(survey);
    let mut views = Vec::new();
    for (id, site) in (0..).zip(&survey.sites) {
        if !site.is_own() {
            continue;
        }
        let near = (site.first_side..site.first_side + site.sides).any(covered);
        for way in 0..site.sides {
            let side = site.first_side + way;
            let (fate, why) = if covered(side) {
                (Fate::Covered, String::new())
            } else if complete {
                let why = "proved unreachable: every path within the bounds was run";
                (Fate::Unreachable, why.to_string())
            } else if near {
                let why = match tried.get(&side) {
                    Some(tried) => tried.words(),
                    None => concrete.words(site),
                };
                (Fate::Missed, why)
            } else {
                (Fate::Far, "no run came near".to_string())
            };
            views.push(SideView {
                side: SideId(side),
                site: SiteId(id),
                way: way_name(site, way),
                fate,
                why,
            });
        }
    }
    views
}

/// Names of sides as people write them: `list.c:7 true`, with the column where the line makes other
/// choices too, and with a number where the column does.
pub struct SideNames<'a> {
    sites: &'a [SiteInfo],
    /// Sites on each line.
    on_line: BTreeMap<(&'a str, u32), u32>,
}

impl<'a> SideNames<'a> {
    pub fn new(sites: &'a [SiteInfo]) -> SideNames<'a> {
        let mut on_line = BTreeMap::new();
        for site in sites.iter().filter(|site| is_shown(site)) {
            let place = &site.location;
            *on_line
                .entry((place.file.as_str(), place.line))
                .or_default() += 1;
        }
        SideNames { sites, on_line }
    }

    /// None for a side that people are not shown.
    pub fn name(&self, side: SideId) -> Option<String> {
        let after = self.sites.partition_point(|site| site.first_side <= side.0);
        // Sites without sides share their first side with the next one.
        let site = self.sites[..after]
            .iter()
            .rev()
            .find(|site| site.sides > 0)?;
        let way = side.0 - site.first_side;
        if way >= site.sides || !is_shown(site) {
            return None;
        }
        let place = &site.location;
        let file = place.file.rsplit('/').next().unwrap_or_default();
        let mut name = format!("{file}:{}", place.line);
        if self.on_line.get(&(place.file.as_str(), place.line)) != Some(&1) {
            name.push_str(&format!(":{}", place.column));
        }
        let here = |other: &&SiteInfo| is_shown(other) && other.location == site.location;
        if self.sites.iter().filter(here).count() > 1 {
            let before = self.sites.iter().filter(here);
            let before = before.take_while(|other| other.first_side < site.first_side);
            name.push_str(&format!("({})", before.count() + 1));
        }
        Some(format!("{name} {}", way_name(site, way)))
    }

    /// All sides that people are shown.
    pub fn all(&self) -> impl Iterator<Item = SideId> + '_ {
        let sites = self.sites.iter().filter(|site| is_shown(site));
        sites.flat_map(|site| (site.first_side..site.first_side + site.sides).map(SideId))
    }
}

fn is_shown(site: &SiteInfo) -> bool {
    site.is_own() && site.sides > 0
}

/// A way out of a site as people name it.
pub fn way_name(site: &SiteInfo, way: u32) -> String {
    match site.clauses {
        true => format!("clause {}", way + 1),
        false => crate::machine::way_name(site.sides.into(), way.into()),
    }
}

fn tried(survey: &Survey) -> BTreeMap<u32, Tried> {
    let mut tried: BTreeMap<u32, Tried> = BTreeMap::new();
    let tree = &survey.tree;
    for position in (0..tree.positions()).map(PositionId) {
        if !matches!(tree.kind(position), Kind::Branch | Kind::Switch) {
            continue;
        }
        let Some(site) = survey.sites.get(tree.site(position).0 as usize) else {
            continue;
        };
        for (way, state) in tree.ways(position) {
            let side = site.first_side + way.min(u64::from(u32::MAX >> 4)) as u32;
            if way >= u64::from(site.sides) || survey.coverage.contains(SideId(side)) {
                continue;
            }
            let tried = tried.entry(side).or_default();
            match state {
                State::Open | State::Claimed => tried.open += 1,
                State::Infeasible => tried.impossible += 1,
                State::Subsumed => tried.subsumed += 1,
                State::GaveUp(reason) => *tried.given_up.entry(reason).or_default() += 1,
                _ => {}
            }
        }
    }
    tried
}

impl Tried {
    fn words(&self) -> String {
        let mut parts = Vec::new();
        for (reason, times) in &self.given_up {
            let times = match times {
                1 => String::new(),
                times => format!(" ({} times)", count(*times)),
            };
            parts.push(format!("{}{times}", given_up(*reason)));
        }
        if self.open > 0 {
            let paths = plural(self.open, "path", "paths");
            parts.push(format!("still to be tried on {paths}"));
        }
        if self.subsumed > 0 {
            let paths = plural(self.subsumed, "path", "paths");
            parts.push(format!(
                "closed on {paths}, as no failure lies there that was not seen (see --cover)"
            ));
        }
        if self.impossible > 0 {
            let paths = match self.impossible {
                1 => "the one path".to_string(),
                paths => format!("{} paths", count(paths)),
            };
            parts.push(match parts.is_empty() {
                true => format!("impossible on {paths} that came here so far"),
                false => format!("impossible on {paths}"),
            });
        }
        match parts.is_empty() {
            true => "no query was asked".into(),
            false => parts.join("; "),
        }
    }
}

/// Why an alternative was given up, in words.
pub(crate) fn given_up(reason: Reason) -> &'static str {
    match reason {
        Reason::QueryLimit => "the solver timed out",
        Reason::QuerySize => "the query was too large for the solver",
        Reason::QueryUnsupported => "no solver decides an operator of the condition",
        Reason::Divergence => "a run that should have gone there went elsewhere",
        Reason::Depth => "deeper than --depth",
        Reason::Values => "more values than --max-values",
        Reason::WideValue => "a value of more than 64 bits was taken as it was",
        Reason::Lost => "the run that should have gone there was lost",
        Reason::OtherShard => "another shard explores it",
    }
}

/// Places where values of the input were made concrete.
struct Concrete<'a> {
    /// Site, how it came to be, how often.
    places: Vec<(&'a SiteInfo, ApproximationKind, u64)>,
}

impl Concrete<'_> {
    fn new(survey: &Survey) -> Concrete<'_> {
        let mut places = Vec::new();
        for ((word, site), times) in &survey.approximations {
            let site = site.and_then(|site| survey.sites.get(site.0 as usize));
            let kind = ApproximationKind::of_word(word).filter(|kind| kind.makes_concrete());
            if let (Some(site), Some(kind)) = (site, kind) {
                places.push((site, kind, *times));
            }
        }
        for ((reason, site), times) in survey.tree.given_up() {
            let site = survey.sites.get(site.0 as usize);
            if let (Some(site), Reason::Values | Reason::WideValue) = (site, reason) {
                places.push((site, reason.kind(), *times));
            }
        }
        Concrete { places }
    }

    /// Why a choice did not depend on the input: the nearest place before it in its function at
    /// which a value was made concrete, else in its file, else where that happened most often.
    fn words(&self, of: &SiteInfo) -> String {
        let place = &of.location;
        let same_file = |at: &SiteInfo| at.location.file == place.file;
        let near = |(at, _, times): &&(&SiteInfo, ApproximationKind, u64)| {
            let here = same_file(at) && at.location.line <= place.line;
            let line = if here { at.location.line } else { 0 };
            let inside = here && at.location.function == place.function;
            (inside, here, line, *times)
        };
        match self.places.iter().max_by_key(near) {
            None => "the choice did not depend on input in any run".into(),
            Some((at, kind, _)) => {
                let line = at.location.line;
                let place = match (same_file(at), at.location.file.as_str()) {
                    (true, _) => format!("at line {line}"),
                    (false, "") => "elsewhere".into(),
                    (false, file) => format!("at {file}:{line}"),
                };
                format!(
                    "a value may have been made concrete {place} ({})",
                    kind.word()
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_explore::Location;

    #[test]
    fn clauses_are_counted() {
        let site = |clauses| SiteInfo {
            sides: 2,
            clauses,
            ..SiteInfo::default()
        };
        assert_eq!(way_name(&site(true), 1), "clause 2");
        assert_eq!(way_name(&site(false), 1), "false");
    }

    #[test]
    fn sides_of_one_line_have_names_of_their_own() {
        let site = |first_side, line, column, sides| SiteInfo {
            location: Location {
                file: "src/list.c".into(),
                line,
                column,
                ..Location::default()
            },
            first_side,
            sides,
            ..SiteInfo::default()
        };
        let hidden = SiteInfo {
            hidden: true,
            ..site(7, 7, 1, 2)
        };
        let sites = [
            site(0, 7, 9, 2),
            site(2, 7, 22, 2),
            site(4, 8, 5, 3),
            hidden,
            site(9, 12, 3, 2),
            site(11, 13, 3, 0),
            site(11, 14, 3, 2),
            site(13, 14, 3, 2),
        ];
        let names = SideNames::new(&sites);
        let found: Vec<String> = (0..16)
            .filter_map(|side| names.name(SideId(side)))
            .collect();
        assert_eq!(
            found,
            [
                "list.c:7:9 true",
                "list.c:7:9 false",
                "list.c:7:22 true",
                "list.c:7:22 false",
                "list.c:8 case 1",
                "list.c:8 case 2",
                "list.c:8 default",
                "list.c:12 true",
                "list.c:12 false",
                "list.c:14:3(1) true",
                "list.c:14:3(1) false",
                "list.c:14:3(2) true",
                "list.c:14:3(2) false",
            ]
        );
        assert_eq!(names.all().count(), found.len());
    }
}
