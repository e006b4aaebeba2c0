//! `--shard`: which share of a campaign is explored.

use elsewise_campaign::Shard;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Written as `2/4`: the second of four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ShardWord(pub Shard);

/// More would be too many to put together.
const MOST: u32 = 1024;

impl FromStr for ShardWord {
    type Err = String;

    fn from_str(text: &str) -> Result<ShardWord, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| {
            let number = number.parse::<u32>().ok()?;
            Some((number, of.parse::<u32>().ok()?))
        });
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) && of <= MOST => {
                Ok(ShardWord(Shard { number, of }))
            }
            _ => Err(format!(
                "write which of how many, as in 2/4, of at most {MOST}"
            )),
        }
    }
}

impl TryFrom<String> for ShardWord {
    type Error = String;

    fn try_from(text: String) -> Result<ShardWord, String> {
        text.parse()
    }
}

/// The directory of a shard, beside that of the whole campaign.
pub fn directory(whole: &Path, shard: Shard) -> PathBuf {
    let ending = format!("{}-of-{}.elsewise", shard.number, shard.of);
    whole.with_extension(ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_one_of_so_many() {
        let shard = |text: &str| text.parse::<ShardWord>().map(|word| word.0);
        assert_eq!(shard("2/4"), Ok(Shard { number: 2, of: 4 }));
        assert_eq!(shard("1/1"), Ok(Shard { number: 1, of: 1 }));
        for bad in [
            "", "2", "0/4", "5/4", "1/0", "1/2000", "-1/3", "1/3/4", "a/b",
        ] {
            assert!(shard(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shards_lie_beside_the_whole() {
        let directory = directory(Path::new("a/t.elsewise"), Shard { number: 2, of: 4 });
        assert_eq!(directory, Path::new("a/t.2-of-4.elsewise"));
    }
}
