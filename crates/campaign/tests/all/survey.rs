//! A campaign read back as a whole says what the exploration said of it.

use elsewise_campaign::toy::{options, random_program, run, with_runs};
use elsewise_campaign::{RunEnd, Store};
use elsewise_explore::{PositionId, State};

#[test]
fn a_survey_agrees_with_the_summary() {
    for seed in 0..12 {
        let toy = random_program(seed);
        let folder = crate::folder();
        let dir = folder.path().join("toy.elsewise");
        // Not to the end, so that something is open; then to the end.
        run(&with_runs(&options(&dir), 5), &toy).unwrap();
        for more in [3, u64::MAX] {
            let summary = run(&with_runs(&options(&dir), more), &toy).unwrap();
            let survey = Store::open_read(&dir).unwrap().survey().unwrap();
            let tree = &survey.tree;
            assert_eq!(tree.paths(), summary.paths, "seed {seed}");
            assert_eq!(tree.frontier(), summary.frontier, "seed {seed}");
            assert_eq!(survey.coverage.reached(), summary.branch_sides.reached);
            assert_eq!(survey.coverage.total(), summary.branch_sides.total);
            assert_eq!(survey.ends.len() as u64, summary.runs);

            // Every leaf and every open alternative is found from the root.
            let mut found = (0, 0);
            let mut look = |state: State| match state {
                State::Leaf(leaf) => {
                    let end = survey.ends[tree.leaf_run(leaf) as usize];
                    assert_eq!(tree.leaf_end(leaf).assumed, end == RunEnd::Assumed);
                    found.0 += u64::from(end != RunEnd::Assumed);
                }
                State::Open | State::Claimed => found.1 += 1,
                _ => {}
            };
            look(tree.root());
            for position in (0..tree.positions()).map(PositionId) {
                tree.ways(position).for_each(|(_, state)| look(state));
            }
            assert_eq!(found, (tree.paths(), tree.frontier()), "seed {seed}");

            let last = survey.moments.last().unwrap();
            assert_eq!((last.runs, last.paths), (summary.runs, summary.paths));
            assert_eq!(last.sides, summary.branch_sides.reached);
            assert_eq!(last.findings as usize, summary.findings.len());
            let ascending = survey.moments.windows(2).all(|pair| {
                let [a, b] = pair else { return false };
                a.millis <= b.millis && a.runs < b.runs && a.sides <= b.sides
            });
            assert!(ascending, "{:?}", survey.moments);
        }
    }
}

#[test]
fn sites_are_kept_and_damage_is_told() {
    let toy = random_program(3);
    let folder = crate::folder();
    let dir = folder.path().join("toy.elsewise");
    run(&options(&dir), &toy).unwrap();
    let store = Store::open_read(&dir).unwrap();
    let sites = store.sites().unwrap();
    let expected = &toy.blueprint.sites;
    assert_eq!(sites.len(), expected.len());
    for (site, expected) in sites.iter().zip(expected) {
        assert_eq!(site.location, expected.location);
        assert_eq!(
            (site.key, site.first_side),
            (expected.key, expected.first_side)
        );
        assert_eq!((site.sides, site.hidden), (expected.sides, expected.hidden));
    }
    let database = rusqlite::Connection::open(dir.join("campaign.db")).unwrap();
    for change in [
        "UPDATE sites SET line = line + 1 WHERE id = 0",
        "UPDATE sites SET line = line - 1, file = 'other' WHERE id = 0",
        "DELETE FROM sites WHERE id = 0",
    ] {
        database.execute_batch(change).unwrap();
        let error = store.sites().unwrap_err().to_string();
        assert!(error.contains("site 0 was changed"), "{error}");
    }
}
