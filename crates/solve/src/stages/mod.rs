//! The stages in the order in which they are asked.
//!
//! | stage | decides |
//! |---|---|
//! | `syntactic` | the wanted condition or its negation stands in the slice; ranges that conflict |
//! | `cache` | what was asked before, supersets of known conflicts, models found before |
//! | `search` | satisfiable queries a few moves away from the present model |
//! | `enumerate` | what has few values: before the bit-blaster what is hard for it, after it the rest |
//! | `bitblast` | bit-vectors of any width, by CaDiCaL |
//! | `z3` | what the others gave up, if a libz3 can be loaded |

mod bitblast;
mod cache;
mod enumerate;
mod search;
mod syntactic;
pub(crate) mod z3;

use crate::stage::Stage;
use bitblast::Bitblast;
use cache::Cache;
use enumerate::Enumerate;
use search::Search;
use syntactic::Syntactic;

/// All of them but Z3, which is asked last where there is one.
pub(crate) fn pipeline() -> Vec<Box<dyn Stage + Send>> {
    vec![
        Box::new(Syntactic),
        Box::new(Cache::new()),
        Box::new(Search::new()),
        Box::new(Enumerate::before_bitblast()),
        Box::new(Bitblast::new()),
        Box::new(Enumerate::default()),
    ]
}
