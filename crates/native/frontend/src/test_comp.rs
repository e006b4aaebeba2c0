//! A campaign's cases as a test suite of Test-Comp.
//!
//! A case holds the values of each type apart; in which order they are asked for is seen by running
//! it on the uninstrumented program, which writes each value down. Whoever explores does that.

mod suite;

use crate::program_error::{ProgramError, problem};
use crate::record::NativeRecord;
use elsewise_campaign::{RunEnd, Store, read_regular, read_unlinked};
use elsewise_explore::{Case, Outcome};
use elsewise_frontend::{FrontEndError, Observations, Problem, campaigns, notices};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use suite::{Asked, SuiteInfo, iso_time, test_case, test_metadata};

/// Variable with the file that values are written down in.
const ASKED: &str = "ELSEWISE_ASKED";
/// Under which name that is saved.
const ASKED_VALUES: &str = "asked";
/// How the inputs begin that are values of a type.
const VALUES: &str = "nondet_";

/// Runs the cases that a suite is made from, if they ask for values, and writes down what they asked for.
pub fn observe(
    store: &Store,
    record: &NativeRecord,
    observations: &Observations,
    end: Instant,
) -> Result<(), Problem> {
    let cases = cases(store)?;
    let asks = |(_, case): &(u64, Case)| case.inputs.keys().any(|name| name.starts_with(VALUES));
    if !cases.iter().any(asks) {
        return Ok(());
    }
    let program = record.program_in(store.dir())?;
    for (_, case) in cases {
        if Instant::now() > end {
            break;
        }
        observations.of_case(ASKED_VALUES, &case, || ask(record, &program, &case))?;
    }
    Ok(())
}

/// Writes the suite; the number of its cases.
pub fn write(store: &Store, directory: &Path, folder: &Path) -> Result<usize, Problem> {
    let observations = Observations::of(directory);
    let cannot = |source| ProgramError::UnwrittenSuite {
        folder: folder.to_path_buf(),
        source,
    };
    fs::create_dir_all(folder).map_err(cannot)?;
    let mut written = 0;
    let mut unknown = 0;
    let mut asked_any = false;
    for (run, case) in cases(store)? {
        let asked = observations.of_case(ASKED_VALUES, &case, || {
            let campaign = directory.to_path_buf();
            let about = "which values it asks for".to_string();
            Err(FrontEndError::NotObserved { campaign, about }.into())
        });
        let Ok((asked, failed)): Result<Asking, Problem> = asked else {
            unknown += 1;
            continue;
        };
        asked_any |= !asked.is_empty();
        let file = folder.join(format!("case-{run}.xml"));
        fs::write(file, test_case(&asked, failed)).map_err(cannot)?;
        written += 1;
    }
    if unknown > 0 && written > 0 {
        notices::warning(&format!(
            "{unknown} of {} cases are left out, since the campaign does not say in which order they ask for values: \
             run the same `elsewise explore` again",
            unknown + written
        ));
    }
    if !asked_any {
        return Err(ProgramError::NothingAsked.into());
    }
    let summary = campaigns::summary(store)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let info = SuiteInfo {
        hash: hash(&summary.subject)?,
        program: summary.subject,
        made: iso_time(now.map_or(0, |now| now.as_secs())),
    };
    fs::write(folder.join("metadata.xml"), test_metadata(&info)).map_err(cannot)?;
    Ok(written)
}

/// The cases that were first to reach something, and one for each finding.
fn cases(store: &Store) -> Result<Vec<(u64, Case)>, Problem> {
    let findings = store.findings()?;
    let mut cases = Vec::new();
    for info in campaigns::runs(store) {
        let info = info?;
        let shows = findings.iter().any(|finding| finding.case == info.run);
        let first = !info.new.is_empty() && info.outcome != RunEnd::Assumed;
        if shows || first {
            let case = store.case(info.run)?;
            cases.push((info.run, case));
        }
    }
    Ok(cases)
}

/// The values that a run asks for, in order, and whether it fails.
type Asking = (Vec<Asked>, bool);

fn ask(record: &NativeRecord, program: &Path, case: &Case) -> Result<Asking, Problem> {
    let cannot = FrontEndError::no_folder("to write values down in");
    let folder = tempfile::tempdir().map_err(cannot)?;
    let file = folder.path().join("asked");
    let mut plain = record.plain(program)?;
    plain.containment.write.push(folder.path().to_path_buf());
    plain.env.push((ASKED.into(), file.clone().into()));
    let run = plain.run(case).map_err(problem)?;
    let text = read_unlinked(&file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let asked = text.lines().filter_map(value).collect();
    Ok((asked, matches!(run.outcome, Outcome::Failure { .. })))
}

/// One line of what a run wrote down: a type and the bytes of a value.
fn value(line: &str) -> Option<Asked> {
    let (ty, digits) = line.split_once(' ')?;
    let mut bytes = [0u8; 16];
    let size = digits.len() / 2;
    for (index, byte) in bytes.get_mut(..size)?.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    let bits = u128::from_le_bytes(bytes);
    let value = match ty {
        "float" => f32::from_bits(bits as u32).to_string(),
        "double" => f64::from_bits(bits as u64).to_string(),
        "char" | "short" | "int" | "long" | "longlong" | "loff_t" => {
            let unused = 128 - 8 * u32::try_from(size).ok().filter(|size| *size > 0)?;
            ((bits << unused) as i128 >> unused).to_string()
        }
        _ => bits.to_string(),
    };
    Some(Asked {
        ty: ty.to_owned(),
        value,
    })
}

/// The hash of the program's source, which is the first word of the subject.
fn hash(subject: &str) -> Result<String, Problem> {
    let file = subject.split(' ').next().unwrap_or(subject);
    let cannot = |source| ProgramError::UnreadableSource {
        file: file.to_string(),
        source,
    };
    let bytes = read_regular(Path::new(file)).map_err(cannot)?;
    let hash = Sha256::digest(&bytes);
    Ok(hash.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_spelled_as_their_type_means_them() {
        let spelled = |line: &str| value(line).map(|asked| asked.value);
        for (line, expected) in [
            ("int ffffffff", "-1"),
            ("uint ffffffff", "4294967295"),
            ("char 80", "-128"),
            ("uchar 80", "128"),
            ("long 0000000000000080", "-9223372036854775808"),
            ("bool 01", "1"),
            ("float 0000c03f", "1.5"),
            ("double 000000000000f8bf", "-1.5"),
            ("pointer 1000000000000000", "16"),
        ] {
            assert_eq!(spelled(line).as_deref(), Some(expected), "{line}");
        }
        for line in [
            "",
            "int",
            "int zz",
            "int ",
            "int 00000000000000000000000000000000ff",
        ] {
            assert_eq!(spelled(line), None, "{line}");
        }
    }
}
