//! Damaged folders give errors: no panic, no endless memory, nothing wrong believed.

use elsewise_campaign::toy::{options, random_program, run, with_runs};
use elsewise_campaign::{CampaignError, Store};
use elsewise_explore::Random;
use rusqlite::Connection;
use std::fs;
use std::path::Path;

/// A small finished campaign's database, with everything in the one file.
fn database(dir: &Path) -> Vec<u8> {
    run(&with_runs(&options(dir), 9), &random_program(4)).unwrap();
    let connection = Connection::open(dir.join("campaign.db")).unwrap();
    connection
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    connection.close().unwrap();
    fs::read(dir.join("campaign.db")).unwrap()
}

/// Asks a store everything there is to ask.
fn look(dir: &Path) -> Result<u64, CampaignError> {
    let store = Store::open_read(dir)?;
    store.title()?;
    store.summary()?;
    store.findings()?;
    store.unconfirmed()?;
    store.approximations()?;
    let count = store.runs(0, 1_000)?.len() as u64;
    for run in 0..count {
        store.case(run)?;
    }
    Ok(count)
}

#[test]
fn mutated_databases_never_panic() {
    let folder = crate::folder();
    let dir = folder.path().join("c");
    let good = database(&dir);
    assert_eq!(look(&dir).unwrap(), 9);
    let toy = random_program(4);
    let mut random = Random::new(8);
    let (mut refused, mut resumed, mut merged) = (0, 0, 0);
    let rounds = std::env::var("ELSEWISE_MUTATIONS").map_or(3_000, |n| n.parse().unwrap());
    for round in 0..rounds {
        let mut bad = good.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bad.len());
            bad[at] = random.number() as u8;
        }
        if random.below(10) == 0 {
            bad.truncate(random.below(bad.len()));
        }
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(dir.join(format!("campaign.db{suffix}")));
        }
        // A folder that was set aside may have left none behind it.
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("campaign.db"), &bad).unwrap();
        refused += u32::from(look(&dir).is_err());
        if round % 10 == 0 {
            match run(&with_runs(&options(&dir), 1), &toy) {
                Ok(summary) => resumed += u32::from(summary.resumed),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
            // A campaign that looked like another one was set aside.
            for number in 1..=3 {
                let _ = fs::remove_dir_all(folder.path().join(format!("c.{number}")));
            }
        }
        if round % 10 == 5 {
            // As a shard, the only one that is left.
            let into = folder.path().join("merged");
            let mut options = with_runs(&options(&into), 1);
            options.merge = vec![dir.clone()];
            match run(&options, &toy) {
                Ok(_) => merged += 1,
                Err(error) => assert!(!error.to_string().is_empty()),
            }
            let _ = fs::remove_dir_all(into);
        }
    }
    assert!(refused > 100, "{refused}");
    assert!(resumed > 10 && merged > 10, "{resumed}, {merged}");
}

#[test]
fn each_kind_of_damage_is_named() {
    let folder = crate::folder();
    let dir = folder.path().join("c");
    database(&dir);
    let change = |sql: &str| {
        let connection = Connection::open(dir.join("campaign.db")).unwrap();
        connection.execute_batch(sql).unwrap();
    };
    let error = |what: &str| {
        let error = run(&options(&dir), &random_program(4)).unwrap_err();
        let damage = matches!(
            error,
            CampaignError::Damaged { .. } | CampaignError::Version { .. }
        );
        assert!(damage && error.to_string().contains(what), "{error}");
    };
    change("UPDATE runs SET detail = detail + 1 WHERE id = 3");
    error("run 3 was changed");
    change("UPDATE runs SET detail = detail - 1 WHERE id = 3; PRAGMA user_version = 9");
    error("format 9");
    change("PRAGMA user_version = 2; DELETE FROM runs WHERE id = 2");
    error("run 2 is missing");
    change("PRAGMA application_id = 5");
    error("no campaign's database");
    fs::write(
        dir.join("campaign.db"),
        "not a database at all, but text of some length",
    )
    .unwrap();
    error("damaged");
    let fresh = elsewise_campaign::Options {
        fresh: true,
        ..options(&dir)
    };
    assert!(run(&fresh, &random_program(4)).unwrap().complete);
}

#[test]
fn a_view_in_the_place_of_a_table_is_not_asked() {
    let folder = crate::folder();
    let dir = folder.path().join("c");
    database(&dir);
    let connection = Connection::open(dir.join("campaign.db")).unwrap();
    let endless = "DROP TABLE journal; CREATE VIEW journal AS
        WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c)
        SELECT n AS id, n AS sum, x'' AS entries FROM c";
    connection.execute_batch(endless).unwrap();
    connection.close().unwrap();
    let error = look(&dir).unwrap_err().to_string();
    assert!(error.contains("its tables are not those"), "{error}");
}
