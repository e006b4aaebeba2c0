//! JSON for scripts: one object on one line.

use serde::Serialize;

/// `value` as one line of JSON.
pub fn object(value: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string(value)
}

#[cfg(test)]
mod tests {
    use crate::samples;

    /// The schema is a public interface: a change here is a change for every script that reads it.
    #[test]
    fn summary_schema() {
        let mut summary = samples::incomplete(elsewise_campaign::Ended::Budget);
        summary.findings = vec![samples::finding().0];
        let line = super::object(&summary).unwrap();
        assert!(!line.contains('\n'));
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        insta::assert_snapshot!(
            "summary_json",
            serde_json::to_string_pretty(&value).unwrap()
        );
    }
}
