//! Bad models give messages in their own terms, with the line, and never a crash or a hang.

use elsewise_statechart::{Reading, Refusal, Severity, read_text};
use std::time::{Duration, Instant};

/// Far more than reading takes, far less than for ever.
const LONGEST: Duration = Duration::from_secs(20);

fn timed(file: &str, text: &str) -> Result<Reading, Refusal> {
    let begun = Instant::now();
    let result = read_text(file, text);
    assert!(
        begun.elapsed() < LONGEST,
        "{file} took {:?}",
        begun.elapsed()
    );
    result
}

/// The errors of a model: reasons with lines.
fn errors(file: &str, text: &str) -> Vec<(&'static str, u32)> {
    let refusal = timed(file, text).expect_err("a bad model was read");
    assert!(!refusal.to_string().is_empty());
    refusal
        .errors()
        .map(|it| (it.reason, it.place.line))
        .collect()
}

fn warnings(file: &str, text: &str) -> Vec<(&'static str, u32)> {
    let reading = timed(file, text).unwrap_or_else(|refusal| panic!("{refusal}"));
    let warnings = reading.warnings.iter();
    warnings
        .inspect(|it| assert_eq!(it.severity, Severity::Warning))
        .map(|it| (it.reason, it.place.line))
        .collect()
}

fn qm(chart: &str) -> String {
    format!(
        "<model version=\"7.0.3\"><framework name=\"qpc\"/><package name=\"P\">\
         <class name=\"C\" superclass=\"qpc::QActive\"><statechart>\n{chart}\n\
         </statechart></class></package></model>"
    )
}

fn scxml(inner: &str) -> String {
    format!("<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" datamodel=\"c\">\n{inner}\n</scxml>")
}

fn uml(inner: &str) -> String {
    format!(
        "<uml:Model xmlns:xmi=\"http://www.omg.org/spec/XMI/20131001\" \
         xmlns:uml=\"http://www.eclipse.org/uml2/5.0.0/UML\" xmi:id=\"m\" name=\"m\">\
         <packagedElement xmi:type=\"uml:Class\" xmi:id=\"c\" name=\"C\">\
         <ownedBehavior xmi:type=\"uml:StateMachine\" xmi:id=\"sm\"><region xmi:id=\"r\">\n{inner}\n\
         </region></ownedBehavior></packagedElement></uml:Model>"
    )
}

#[test]
fn targets_that_are_not_there() {
    let chart = "<initial target=\"../1\"/>\n<state name=\"a\">\n<tran trig=\"E\" target=\"../7/3\"/></state>";
    assert_eq!(errors("a.qm", &qm(chart)), [("dangling target", 4)]);
    let chart = "<state id=\"a\">\n<transition event=\"e\" target=\"nowhere\"/></state>";
    assert_eq!(errors("a.scxml", &scxml(chart)), [("dangling target", 3)]);
    let chart = "<subvertex xmi:type=\"uml:Pseudostate\" xmi:id=\"i\"/>\n\
                 <subvertex xmi:type=\"uml:State\" xmi:id=\"a\" name=\"a\"/>\n\
                 <transition xmi:id=\"t\" source=\"i\" target=\"a\"/>\n\
                 <transition xmi:id=\"u\" name=\"u\" source=\"a\" target=\"z\"/>";
    assert_eq!(errors("a.uml", &uml(chart)), [("dangling target", 5)]);
}

#[test]
fn initial_transitions_that_cannot_be() {
    let cyclic = "<initial target=\"../1\"/>\n<state name=\"a\">\n<initial target=\"..\"/>\n<state name=\"b\"/></state>";
    assert_eq!(errors("a.qm", &qm(cyclic)), [("cyclic initial", 4)]);
    let outside = "<initial target=\"../1\"/>\n<state name=\"a\">\n<initial target=\"../../2\"/>\n<state name=\"b\"/></state>\n<state name=\"c\"/>";
    assert_eq!(errors("a.qm", &qm(outside)), [("initial leads outside", 4)]);
    assert_eq!(
        errors("a.qm", &qm("<state name=\"a\"/>")),
        [("no initial", 1)]
    );
    let two = "<initial target=\"../2\"/>\n<initial target=\"../2\"/>\n<state name=\"a\"/>";
    assert_eq!(errors("a.qm", &qm(two)), [("several initial", 2)]);
    let guarded = "<state id=\"a\">\n<initial>\n<transition cond=\"x\" target=\"b\"/></initial><state id=\"b\"/></state>";
    assert_eq!(
        errors("a.scxml", &scxml(guarded)),
        [("guard on initial", 4)]
    );
}

#[test]
fn names_and_ids_that_are_there_twice() {
    let names = "<initial target=\"../1\"/>\n<state name=\"a\"/>\n<state name=\"a\"/>";
    assert_eq!(errors("a.qm", &qm(names)), [("duplicate name", 4)]);
    let ids = "<state id=\"a\"/>\n<state id=\"b\"><state id=\"a\"/></state>";
    assert_eq!(errors("a.scxml", &scxml(ids)), [("duplicate id", 3)]);
    let ids = "<subvertex xmi:type=\"uml:State\" xmi:id=\"a\" name=\"a\"/>\n\
               <subvertex xmi:type=\"uml:State\" xmi:id=\"a\" name=\"b\"/>";
    assert!(errors("a.uml", &uml(ids)).contains(&("duplicate id", 3)));
}

#[test]
fn what_is_no_model() {
    for (file, text) in [
        ("a.qm", ""),
        ("a.qm", "not XML"),
        ("a.qm", "<model>"),
        ("a.qm", "<model version=\"1\"/>"),
        ("a.qm", "<html/>"),
        ("a.uml", "<html/>"),
        ("a.uml", "<uml:Model xmlns:uml=\"u\"/>"),
        ("a.scxml", "<html/>"),
        ("a.txt", "<scxml/>"),
        ("a", ""),
        ("a.scxml", "<scxml><state id='a'"),
        (
            "a.qm",
            "<!DOCTYPE model [<!ENTITY a \"b\">]><model version=\"1\"/>",
        ),
    ] {
        assert!(!errors(file, text).is_empty(), "{file}: {text}");
    }
}

#[test]
fn choices_histories_and_guards() {
    let stuck = "<subvertex xmi:type=\"uml:Pseudostate\" xmi:id=\"i\"/>\n\
                 <subvertex xmi:type=\"uml:Pseudostate\" xmi:id=\"c\" kind=\"choice\" name=\"c\"/>\n\
                 <transition xmi:id=\"t\" source=\"i\" target=\"c\"/>";
    assert_eq!(
        errors(
            "a.uml",
            &uml(stuck).replace("xmi:id=\"c\" name=\"C\"", "xmi:id=\"k\" name=\"C\"")
        ),
        [("choice without a way out", 3)]
    );
    let history = "<history id=\"h\"><transition target=\"a\"/></history>\n<state id=\"a\"/>";
    assert_eq!(
        errors("a.scxml", &scxml(history)),
        [("history outside of a composite state", 2)]
    );
    let guard = "<initial target=\"../1\"/>\n<state name=\"a\">\n<tran trig=\"E\">\n<choice/></tran></state>";
    assert_eq!(errors("a.qm", &qm(guard)), [("choice without a guard", 5)]);
    let endless = "<state id=\"a\">\n<transition/></state>";
    assert_eq!(errors("a.scxml", &scxml(endless)), [("endless", 3)]);
}

#[test]
fn unknown_ports_and_messages() {
    let chart = "<subvertex xmi:type=\"uml:Pseudostate\" xmi:id=\"i\"/>\n\
                 <subvertex xmi:type=\"uml:State\" xmi:id=\"a\" name=\"a\"/>\n\
                 <transition xmi:id=\"t\" source=\"i\" target=\"a\"/>\n\
                 <transition xmi:id=\"u\" source=\"a\" target=\"a\">\n\
                 <trigger xmi:id=\"g\" event=\"nothing\" port=\"nowhere\"/></transition>";
    assert_eq!(errors("a.uml", &uml(chart)), [("unknown port", 6)]);
    let chart = chart.replace(" port=\"nowhere\"", "");
    assert_eq!(errors("a.uml", &uml(&chart)), [("unknown message", 6)]);
}

#[test]
fn what_is_only_strange_is_a_warning() {
    let island =
        "<state id=\"a\"/>\n<state id=\"b\"><transition event=\"e\" target=\"a\"/></state>";
    assert_eq!(
        warnings("a.scxml", &scxml(island)),
        [("unreachable state", 3)]
    );
}

#[test]
fn a_submachine_in_itself() {
    let chart = "<initial target=\"../1\"/>\n<smstate name=\"a\" submachine=\"../2\"/>\n\
                 <submachine name=\"m\">\n<smstate name=\"b\" submachine=\"..\"/></submachine>";
    assert_eq!(errors("a.qm", &qm(chart)), [("cyclic containment", 5)]);
}

#[test]
fn submachines_that_would_be_very_many_states() {
    // Ten submachines, each with ten instances of the next: ten thousand million states.
    let mut chart =
        String::from("<initial target=\"../1\"/><smstate name=\"a\" submachine=\"../2\"/>");
    for level in 0..10 {
        let inner: String = (0..10)
            .map(|number| {
                format!(
                    "<smstate name=\"s{number}\" submachine=\"../../{}\"/>",
                    level + 3
                )
            })
            .collect();
        chart.push_str(&format!(
            "<submachine name=\"m{level}\">{inner}</submachine>"
        ));
    }
    chart.push_str("<submachine name=\"last\"><state name=\"x\"/></submachine>");
    assert!(
        errors("a.qm", &qm(&chart))
            .iter()
            .any(|(reason, _)| *reason == "too large")
    );
}

const MANY: usize = 100_000;

#[test]
fn a_hundred_thousand_states_beside_each_other() {
    let mut chart = String::from("<initial target=\"../1\"/>");
    for number in 0..MANY {
        let next = 1 + (number + 1) % MANY;
        chart.push_str(&format!(
            "<state name=\"s{number}\"><tran trig=\"E\" target=\"../../{next}\"/></state>"
        ));
    }
    assert_eq!(warnings("a.qm", &qm(&chart)), []);
    let mut chart = String::new();
    for number in 0..MANY {
        let next = (number + 1) % MANY;
        chart.push_str(&format!(
            "<state id=\"s{number}\"><transition event=\"e.{number}\" target=\"s{next}\"/></state>"
        ));
    }
    assert_eq!(warnings("a.scxml", &scxml(&chart)), []);
}

#[test]
fn a_hundred_thousand_states_inside_of_each_other() {
    let open: String = (0..MANY)
        .map(|number| {
            format!(
                "<state id=\"s{number}\"><transition type=\"internal\" event=\"e\" target=\"s{}\"/>",
                MANY - 1
            )
        })
        .collect();
    let text = scxml(&(open + &"</state>".repeat(MANY)));
    let reading = timed("a.scxml", &text).unwrap();
    let machine = reading.model.capsules[0].machine.as_ref().unwrap();
    assert_eq!(machine.vertices.len(), MANY + 1);
    let open: String = (0..MANY)
        .map(|number| format!("<state name=\"s{number}\"><initial target=\"../1\"/>"))
        .collect();
    let chart = format!(
        "<initial target=\"../1\"/>{open}<state name=\"last\"/>{}",
        "</state>".repeat(MANY)
    );
    assert_eq!(warnings("a.qm", &qm(&chart)), []);
    // The same, with an error in each.
    let chart = chart.replace(
        "<initial target=\"../1\"/><state",
        "<initial target=\"../9\"/><state",
    );
    assert!(!errors("a.qm", &qm(&chart)).is_empty());
}

#[test]
fn conditions_inside_of_each_other() {
    let deep = "<if cond=\"x\">".repeat(10_000) + &"</if>".repeat(10_000);
    let text = scxml(&format!(
        "<state id=\"a\"><onentry>{deep}</onentry></state>"
    ));
    assert_eq!(errors("a.scxml", &text), [("too deep", 2)]);
}

#[test]
fn wildcards_at_very_many_transitions() {
    let mut chart = String::from("<state id=\"a\">");
    for number in 0..20_000 {
        chart.push_str(&format!(
            "<transition event=\"e{number}\"/><transition event=\"*\"/>"
        ));
    }
    chart.push_str("</state>");
    assert_eq!(errors("a.scxml", &scxml(&chart))[0].0, "too large");
}

#[test]
fn capsules_that_contain_each_other() {
    let text = "<xmi:XMI xmlns:xmi=\"http://www.omg.org/spec/XMI/20131001\" xmlns:R=\"r\" \
        xmlns:uml=\"u\"><uml:Model xmi:id=\"m\">\
        <packagedElement xmi:type=\"uml:Class\" xmi:id=\"t\" name=\"T\">\
        <ownedAttribute xmi:id=\"p\" name=\"p\" type=\"a\"/></packagedElement>\
        <packagedElement xmi:type=\"uml:Class\" xmi:id=\"a\" name=\"A\">\
        <ownedBehavior xmi:type=\"uml:StateMachine\" xmi:id=\"s\"/>\
        <ownedAttribute xmi:id=\"q\" name=\"q\" type=\"b\"/></packagedElement>\
        <packagedElement xmi:type=\"uml:Class\" xmi:id=\"b\" name=\"B\">\
        <ownedAttribute xmi:id=\"r\" name=\"r\" type=\"a\"/></packagedElement>\
        </uml:Model><R:Capsule xmi:id=\"1\" base_Class=\"t\"/>\
        <R:Capsule xmi:id=\"2\" base_Class=\"a\"/><R:Capsule xmi:id=\"3\" base_Class=\"b\"/></xmi:XMI>";
    assert_eq!(errors("a.uml", text), [("cyclic containment", 1)]);
}

#[test]
fn rules_that_mean_nothing() {
    let chart = "<state id=\"a\"/>";
    for (rules, line) in [
        ("nonsense", 1),
        ("property", 1),
        ("property \"p\"\n a: sent x -> b", 1),
        ("property \"p\"\n a: sent -> violated", 2),
        (
            "property \"p\"\n a: seen x -> violated\n b: rest -> violated",
            2,
        ),
        ("property \"p\"\n a: rest -> violated\n a rest violated", 3),
        ("invariant C.nowhere: x", 1),
        ("invariant a.a:", 1),
        ("payload T: E", 1),
    ] {
        let mut reading = timed("a.scxml", &scxml(chart)).unwrap();
        let refusal = elsewise_statechart::apply_rules(&mut reading.model, "a.rules", rules)
            .expect_err(rules);
        let lines: Vec<u32> = refusal.errors().map(|it| it.place.line).collect();
        assert!(lines.contains(&line), "{rules}: {refusal}");
    }
}

#[test]
fn very_many_capsules_ports_and_triggers() {
    let mut inner = String::new();
    for number in 0..3_000 {
        inner.push_str(&format!(
            "<ownedAttribute xmi:type=\"uml:Port\" xmi:id=\"p{number}\" name=\"p{number}\" type=\"k\"/>"
        ));
    }
    let mut transitions = String::from(
        "<subvertex xmi:type=\"uml:Pseudostate\" xmi:id=\"i\"/>\
         <subvertex xmi:type=\"uml:State\" xmi:id=\"a\" name=\"a\"/>\
         <transition xmi:id=\"t\" source=\"i\" target=\"a\"/>",
    );
    for number in 0..3_000 {
        transitions.push_str(&format!(
            "<transition xmi:id=\"t{number}\" source=\"a\" target=\"a\">\
             <trigger xmi:id=\"g{number}\" event=\"any\"/></transition>"
        ));
    }
    let text = uml(&transitions)
        .replace("<ownedBehavior", &format!("{inner}<ownedBehavior"))
        .replace(
            "</uml:Model>",
            "<packagedElement xmi:type=\"uml:Package\" xmi:id=\"kp\">\
             <packagedElement xmi:type=\"uml:Collaboration\" xmi:id=\"k\" name=\"K\"/>\
             <packagedElement xmi:type=\"uml:AnyReceiveEvent\" xmi:id=\"any\" name=\"*\"/>\
             <packagedElement xmi:type=\"uml:Interface\" xmi:id=\"ki\" name=\"K\">\
             <ownedOperation xmi:id=\"m\" name=\"m\"/></packagedElement></packagedElement></uml:Model>",
        );
    assert_eq!(errors("a.uml", &text)[0].0, "too large");
}
