//! Calls of operations, in words.

use elsewise_explore::schedule::history::Operation;

/// A number as a programmer would write it.
pub fn number(value: u64) -> String {
    let signed = value as i64;
    match signed.unsigned_abs() < 1 << 32 {
        true => signed.to_string(),
        false => format!("{value:#x}"),
    }
}

/// A call: `push(3)`.
pub fn call(operation: &Operation) -> String {
    let arguments = operation.arguments.iter();
    let arguments: Vec<String> = arguments.map(|value| number(*value)).collect();
    format!("{}({})", operation.name, arguments.join(", "))
}

pub fn with_result(operation: &Operation) -> String {
    match operation.result {
        Some(Some(result)) => format!("{} = {}", call(operation), number(result)),
        Some(None) => call(operation),
        None => format!("{}, which has not ended", call(operation)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_explore::SiteId;

    #[test]
    fn calls_in_words() {
        let mut operation = Operation {
            thread: 1,
            name: "push".into(),
            arguments: vec![3, u64::MAX],
            result: Some(Some(0)),
            begins: 0,
            ends: Some(1),
            site: SiteId(0),
        };
        assert_eq!(with_result(&operation), "push(3, -1) = 0");
        operation.result = Some(None);
        assert_eq!(with_result(&operation), "push(3, -1)");
        operation.result = None;
        assert_eq!(with_result(&operation), "push(3, -1), which has not ended");
        assert_eq!(number(0x5500_0000_0010), "0x550000000010");
    }
}
