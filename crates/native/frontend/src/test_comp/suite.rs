//! Test suites in the exchange format of Test-Comp: `metadata.xml`, and one XML file for each case
//! with the values of `__VERIFIER_nondet_*` in the order in which they were asked for.

use elsewise_report::machine::xml_content;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// What `metadata.xml` tells.
pub struct SuiteInfo {
    pub program: String,
    /// SHA-256 of the program's source, in hexadecimal digits.
    pub hash: String,
    /// As ISO 8601 has it.
    pub made: String,
}

/// A value that a program asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The name of the type after `__VERIFIER_nondet_`.
    pub ty: String,
    /// As C spells it.
    pub value: String,
}

pub fn test_metadata(info: &SuiteInfo) -> String {
    let mut out = head("test-metadata");
    out.push_str("<test-metadata>\n");
    // The format wants them in this order.
    for (name, value) in [
        ("sourcecodelang", "C"),
        ("producer", concat!("Elsewise ", env!("CARGO_PKG_VERSION"))),
        (
            "specification",
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
        ),
        ("programfile", &info.program),
        ("programhash", &info.hash),
        ("entryfunction", "main"),
        ("architecture", "64bit"),
        ("creationtime", &info.made),
    ] {
        let _ = writeln!(out, "  <{name}>{}</{name}>", xml_content(value));
    }
    out.push_str("</test-metadata>\n");
    out
}

pub fn test_case(asked: &[Asked], covers_error: bool) -> String {
    let mut out = head("testcase");
    out.push_str(match covers_error {
        true => "<testcase coversError=\"true\">\n",
        false => "<testcase>\n",
    });
    for Asked { ty, value } in asked {
        let _ = writeln!(
            out,
            "  <input type=\"{}\">{}</input>",
            xml_content(ty),
            xml_content(value)
        );
    }
    out.push_str("</testcase>\n");
    out
}

/// Seconds since 1970 as ISO 8601 has them, in UTC.
pub fn iso_time(seconds: u64) -> String {
    let (mut days, of_day) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970u64;
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    // A clock that is millions of years wrong is not worth a loop over them.
    while year < 10_000 {
        let length = 365 + u64::from(leap(year));
        if days < length {
            break;
        }
        days -= length;
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!(
        "{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z",
        days + 1
    )
}

fn head(element: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <!DOCTYPE {element} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {element} 1.1//EN\" \
         \"https://sosy-lab.org/test-format/{element}-1.1.dtd\">\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::{Config, RngSeed};
    use roxmltree::{Document, ParsingOptions};

    /// As `date --utc --date=@N +%FT%TZ` has them.
    #[test]
    fn times() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_704_067_199, "2023-12-31T23:59:59Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(iso_time(seconds), text);
        }
    }

    /// A word that the format would act on, or any text at all.
    fn hostile() -> impl Strategy<Value = String> {
        let words = [
            "</testcase><script>alert(1)</script>",
            "]]>&amp;<![CDATA[",
            "\u{0}\u{1}\u{b}\u{1b}[31m\u{9b}2J",
            "\u{fffe}\u{ffff}\u{202e}",
            "",
        ];
        let word = prop_oneof![
            proptest::sample::select(words.to_vec()).prop_map(str::to_owned),
            any::<String>(),
        ];
        proptest::collection::vec(word, 1..4).prop_map(|words| words.concat())
    }

    fn parse(text: &str) -> Document<'_> {
        let options = ParsingOptions {
            allow_dtd: true,
            ..ParsingOptions::default()
        };
        Document::parse_with_options(text, options)
            .unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    proptest! {
        #![proptest_config(Config {
            cases: 256,
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(1),
            ..Config::default()
        })]

        #[test]
        fn a_suite_keeps_its_shape(text in hostile()) {
            let asked = [Asked { ty: text.clone(), value: text.clone() }];
            let case = test_case(&asked, true);
            let document = parse(&case);
            let input = document.descendants().find(|node| node.has_tag_name("input")).unwrap();
            let alone = format!("<a>{}</a>", xml_content(&text));
            let alone = parse(&alone);
            prop_assert_eq!(input.text(), alone.root_element().text());
            let info = SuiteInfo { program: text.clone(), hash: String::new(), made: String::new() };
            let metadata = test_metadata(&info);
            prop_assert_eq!(parse(&metadata).root_element().children().filter(|c| c.is_element()).count(), 8);
        }
    }
}
