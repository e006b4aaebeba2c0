//! lcov's tracefile, which `genhtml` and most coverage views read.
//!
//! A line counts if a choice is made there: what lies between choices is not watched. How often a
//! side was taken is not counted either: it is 1 if any run took it.

use super::{BranchSite, by_file, by_line};
use std::fmt::Write;

pub fn lcov(places: &[BranchSite]) -> String {
    let mut out = String::new();
    for (file, places) in by_file(places) {
        // A record ends with its line, whatever the name has in it.
        let _ = writeln!(out, "TN:\nSF:{}", crate::escape::text(file));
        let (mut branches, mut taken) = (0u64, 0u64);
        for (line, places) in by_line(places) {
            for (block, place) in places.iter().enumerate() {
                for (way, side) in place.sides.iter().enumerate() {
                    let count = match (place.is_reached(), side.reached) {
                        (false, _) => "-",
                        (true, true) => "1",
                        (true, false) => "0",
                    };
                    let _ = writeln!(out, "BRDA:{line},{block},{way},{count}");
                    branches += 1;
                    taken += u64::from(side.reached);
                }
            }
        }
        let _ = writeln!(out, "BRF:{branches}\nBRH:{taken}");
        let lines = by_line(places);
        let mut hit = 0;
        for (line, places) in &lines {
            let reached = u32::from(places.iter().any(BranchSite::is_reached));
            let _ = writeln!(out, "DA:{line},{reached}");
            hit += reached;
        }
        let _ = writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
    }
    out
}
