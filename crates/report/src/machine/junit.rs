//! JUnit's XML, which every CI service shows as a list of tests: the exploration itself is one test,
//! and each finding another, which fails.

use super::{FindingContext, Material, headline, title, xml};
use crate::finding::place;
use crate::{SummaryView, hex};
use elsewise_campaign::Finding;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::fmt::Write;
use std::time::Duration;

pub fn junit(material: &Material<'_>) -> Result<String, quick_junit::SerializeError> {
    let summary = material.summary;
    let subject = xml::plain(&summary.subject);
    let mut suite = TestSuite::new(format!("elsewise: {subject}"));
    let time = Duration::try_from_secs_f64(summary.wall_seconds).unwrap_or_default();
    suite.set_time(time);
    let mut whole = TestCase::new("exploration", TestCaseStatus::success());
    whole.set_classname(subject.as_str());
    whole.set_time(time);
    let findings = Vec::new();
    let text = SummaryView {
        findings,
        ..SummaryView::new(summary)
    }
    .text();
    whole.set_system_out(xml::plain(&anstream::adapter::strip_str(&text).to_string()));
    suite.add_test_case(whole);
    for told in &material.findings {
        suite.add_test_case(failed(told, &subject));
    }
    for finding in &summary.unconfirmed {
        let mut status = TestCaseStatus::skipped();
        status.set_message(xml::plain(&format!("not confirmed: {}", finding.note)));
        suite.add_test_case(named(finding, &subject, status));
    }
    let mut report = Report::new("elsewise");
    report.add_test_suite(suite);
    report.to_string()
}

fn named(finding: &Finding, subject: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(xml::plain(&title(finding)), status);
    case.set_classname(subject);
    case
}

fn failed(told: &FindingContext<'_>, subject: &str) -> TestCase {
    let finding = told.finding;
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status
        .set_type(xml::plain(&finding.kind))
        .set_message(xml::plain(&headline(finding)));
    let mut text = String::new();
    for frame in &finding.stack {
        let place = place(&frame.file, frame.line, &frame.function);
        let _ = writeln!(text, "  at {place}");
    }
    if let Some(call) = &told.call {
        let _ = writeln!(text, "call {call}");
    }
    let case = told.case.filter(|_| told.call.is_none());
    for (name, bytes) in case.iter().flat_map(|case| &case.inputs) {
        let _ = writeln!(text, "input {name}: {}", hex::short(bytes));
    }
    let _ = writeln!(text, "reproduce: {}", told.reproduce);
    status.set_description(xml::plain(&text));
    named(finding, subject, status)
}
