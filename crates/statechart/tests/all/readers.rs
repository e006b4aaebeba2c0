//! What readers make of files: our own models in three formats, old versions of a format, and files in
//! which elements do not say what they are.

use crate::support::runs;
use elsewise_statechart::model::{
    Direction, EventKind, Format, Guard, Model, Service, TransitionKind, VertexKind,
};
use elsewise_statechart::{read, read_text};
use std::fs;
use std::path::{Path, PathBuf};

fn file(name: &str) -> PathBuf {
    let charts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/subjects/charts");
    let folder = charts.join(name.split('.').next().unwrap());
    match name.ends_with(".qm") {
        true => folder.join("qm").join(name),
        false => folder.join(name),
    }
}

fn chart(name: &str) -> Model {
    read(&file(name))
        .unwrap_or_else(|refusal| panic!("{refusal}"))
        .model
}

#[test]
fn our_models_are_the_same_in_all_formats() {
    for name in ["collision", "cruise", "dyeing", "rover"] {
        for twin in ["", ".fixed"] {
            let models =
                ["qm", "uml", "scxml"].map(|ending| chart(&format!("{name}{twin}.{ending}")));
            let told = models.each_ref().map(|model| {
                let capsule = &model.capsules[0];
                let machine = capsule.machine.as_ref().unwrap();
                let states: Vec<String> = machine
                    .vertices
                    .iter()
                    .filter(|it| it.kind == VertexKind::State)
                    .map(|it| it.name.clone())
                    .collect();
                let mut messages: Vec<(String, usize)> = capsule
                    .events
                    .iter()
                    .filter(|it| it.kind == EventKind::Message)
                    .map(|it| {
                        let name = it.name.rsplit('.').next().unwrap_or_default();
                        (name.to_lowercase().replace('_', ""), it.parameters.len())
                    })
                    .collect();
                messages.sort();
                let timeouts = capsule.events.iter();
                let timeouts = timeouts.filter(|it| it.kind == EventKind::Timeout).count();
                let rules = (model.properties.len(), machine.vertices[0].invariants.len());
                (capsule.name.clone(), states, messages, timeouts, rules)
            });
            assert_eq!(told[0], told[1], "{name}{twin}");
            assert_eq!(told[0], told[2], "{name}{twin}");
        }
    }
}

#[test]
fn rules_are_read_from_beside_the_model() {
    let model = chart("collision.uml");
    let property = &model.properties[0];
    assert_eq!(property.name, "never vibrate and steer at once");
    assert_eq!(property.states[property.initial].name, "calm");
    assert_eq!(property.edges.len(), 6);
    let first = &property.edges[0].observed;
    assert_eq!(first.direction, Direction::Sent);
    assert_eq!(first.port.as_deref(), Some("steer"));
    assert_eq!(first.message.as_deref(), Some("vibrate"));
    assert_eq!(property.edges[4].observed.direction, Direction::Rest);
    let scxml = &chart("collision.scxml").properties[0].edges[0].observed;
    assert_eq!(
        (&scxml.port, scxml.message.as_deref()),
        (&None, Some("steer.vibrate"))
    );
}

#[test]
fn the_exchange_is_a_system() {
    let model = chart("pbx.uml");
    let machines: Vec<_> = model
        .capsules
        .iter()
        .filter_map(|it| it.machine.as_ref())
        .collect();
    assert_eq!(machines.len(), 29);
    let states = machines.iter().flat_map(|it| &it.vertices[1..]);
    assert_eq!(
        states.filter(|it| it.kind == VertexKind::State).count(),
        118
    );
    assert_eq!(
        machines
            .iter()
            .map(|it| it.transitions.len())
            .sum::<usize>(),
        284
    );
    let system = model.system.as_ref().unwrap();
    assert_eq!((system.parts.len(), system.connectors.len()), (29, 28));
    for connector in &system.connectors {
        let ports = connector
            .ends
            .map(|end| &model.capsules[system.parts[end.part].capsule].ports[end.port.index()]);
        assert_eq!(ports[0].protocol, ports[1].protocol);
        assert_ne!(ports[0].conjugated, ports[1].conjugated);
    }
    let twin = fs::read_to_string(file("pbx.uml")).unwrap();
    let twin = twin.replace(
        "return wanted &lt; 101;",
        "return wanted &lt; 101 || wanted &gt; 113;",
    );
    assert!(read_text("pbx.uml", &twin).is_ok());
}

#[test]
fn timers_are_known_by_their_ports() {
    let model = chart("rover.uml");
    let capsule = &model.capsules[0];
    let timing = capsule
        .ports
        .iter()
        .find(|it| it.service == Some(Service::Timing))
        .unwrap();
    assert_eq!(timing.name, "timer");
    let event = capsule.timers[0].event.unwrap();
    assert_eq!(capsule.event_label(event), "timer.timeout");
    let model = chart("rover.qm");
    let capsule = &model.capsules[0];
    assert_eq!(capsule.timers[0].name, "timer");
    assert_eq!(
        capsule.event(capsule.timers[0].event.unwrap()).name,
        "TIMEOUT"
    );
}

/// How large the machines of a model are, and what they wait for.
fn outline(model: &Model) -> String {
    let mut text = String::new();
    for capsule in &model.capsules {
        let machine = capsule.machine.as_ref().unwrap();
        for vertex in &machine.vertices {
            text.push_str(&format!("{:?} {}\n", vertex.kind, vertex.name));
        }
        for transition in &machine.transitions {
            text.push_str(&format!(
                "{:?} {} {:?} {:?} {:?} {}\n",
                transition.kind,
                transition.name,
                transition.source,
                transition.target,
                transition.triggers,
                transition.action.len()
            ));
        }
    }
    text
}

#[test]
fn uml_elements_need_not_say_what_their_tags_say() {
    for name in ["collision", "cruise", "rover"] {
        let text = fs::read_to_string(file(&format!("{name}.uml"))).unwrap();
        let whole = read_text("a.uml", &text).unwrap().model;
        let mut bare = text.clone();
        for kind in [
            "Transition",
            "Region",
            "Trigger",
            "Constraint",
            "Property",
            "Operation",
            "Parameter",
            "OpaqueExpression",
            "OpaqueBehavior",
        ] {
            // Behaviours that a class owns have no other way to say what they are.
            let before = bare.clone();
            bare = before
                .lines()
                .map(|line| match line.contains("<ownedBehavior") {
                    true => line.to_owned() + "\n",
                    false => line.replace(&format!(" xmi:type=\"uml:{kind}\""), "") + "\n",
                })
                .collect();
        }
        assert!(bare.len() < text.len());
        assert_eq!(
            outline(&read_text("a.uml", &bare).unwrap().model),
            outline(&whole)
        );
        let other = text.replace("xmi:type", "xsi:type").replace(
            "<xmi:XMI ",
            "<xmi:XMI xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" ",
        );
        assert_eq!(
            outline(&read_text("a.uml", &other).unwrap().model),
            outline(&whole)
        );
    }
}

#[test]
fn uml_without_stereotypes_has_capsules_where_there_are_machines() {
    let text = fs::read_to_string(file("collision.uml")).unwrap();
    let end = text.find("</uml:Model>").unwrap();
    let begin = text.find("<uml:Model").unwrap();
    let alone = text[begin..end].replacen(
        "<uml:Model",
        "<uml:Model xmlns:xmi=\"http://www.omg.org/spec/XMI/20131001\" \
         xmlns:uml=\"http://www.eclipse.org/uml2/5.0.0/UML\"",
        1,
    ) + "</uml:Model>";
    let model = read_text("a.uml", &alone).unwrap().model;
    let whole = chart("collision.uml");
    assert_eq!(outline(&model), outline(&whole));
    let sends = |model: &Model| model.capsules[0].sends.len();
    assert_eq!(sends(&model), sends(&whole));
}

#[test]
fn uml_guards_are_bodies_of_functions() {
    let text = fs::read_to_string(file("collision.uml")).unwrap();
    let guard = |text: &str| {
        let model = read_text("a.uml", text).unwrap().model;
        let machine = model.capsules[0].machine.clone().unwrap();
        let guards = machine.transitions.into_iter().filter_map(|it| it.guard);
        let mut texts = guards.filter_map(|guard| match guard {
            Guard::When(code) => Some(code.text),
            Guard::Else => None,
        });
        texts.next().unwrap()
    };
    assert_eq!(guard(&text), "threat >= 30");
    let longer = text.replacen(
        "return threat &gt;= 30;",
        "int least = 30;\nreturn threat &gt;= least;",
        1,
    );
    assert_eq!(
        guard(&longer),
        "[&]() -> bool { int least = 30;\nreturn threat >= least; }()"
    );
}

fn old_qm(chart: &str) -> Model {
    let text = format!(
        "<model version=\"4.0.0\" links=\"0\"><framework name=\"qpc\"/><package name=\"P\">\
         <class name=\"SetEvt\" superclass=\"qpc::QEvt\">\
         <attribute name=\"digits[2]\" type=\"uint8_t\" visibility=\"0x00\" properties=\"0x00\"/></class>\
         <class name=\"C\" superclass=\"qpc::QMsm\"><statechart>{chart}</statechart></class>\
         </package></model>"
    );
    read_text("a.qm", &text)
        .unwrap_or_else(|refusal| panic!("{refusal}"))
        .model
}

#[test]
fn qm_s_older_ways_to_write_guards() {
    let model = old_qm(
        "<initial target=\"../1\"/><state name=\"a\"><tran trig=\"E, F\">\
         <choice guard=\"((SetEvt const *)e)-&gt;digits[0] == 1\" target=\"../..\"/>\
         <choice><guard brief=\"else\"/></choice></tran></state>",
    );
    let capsule = &model.capsules[0];
    let transitions = &capsule.machine.as_ref().unwrap().transitions;
    let guards: Vec<_> = transitions
        .iter()
        .filter_map(|it| it.guard.as_ref())
        .collect();
    assert!(matches!(guards[0], Guard::When(code) if code.text.contains("digits[0] == 1")));
    assert!(matches!(guards[1], Guard::Else));
    assert_eq!(transitions[1].triggers.len(), 2);
    assert_eq!(transitions[2].kind, TransitionKind::External);
    // By the cast in the guard, it is known what carries the event.
    for event in &capsule.events {
        assert_eq!(event.payload.as_deref(), Some("SetEvt"));
        assert_eq!(event.parameters[0].array.as_deref(), Some("2"));
    }
}

#[test]
fn qm_s_submachines_are_put_in_their_places() {
    let enter = |name: &str| format!("<entry>{name}_ENTRY();</entry><exit>{name}_EXIT();</exit>");
    let model = old_qm(&format!(
        "<initial target=\"../1\"/><state name=\"a\">{}\
         <tran trig=\"ONE\" target=\"../../2\" cpref=\"../../4/0\"/>\
         <tran trig=\"TWO\" target=\"../../3\" cpref=\"../../4/0\"/></state>\
         <smstate name=\"one\" submachine=\"../4\"><xpseg xpref=\"../../4/1\" target=\"../../1\">\
         <action>left_one();</action></xpseg></smstate>\
         <smstate name=\"two\" submachine=\"../4\"><xpseg xpref=\"../../4/1\" target=\"../../2\" \
         cpref=\"../../4/0\"/></smstate>\
         <submachine name=\"m\">{}<epseg name=\"in\" target=\"../2\"><action>in();</action></epseg>\
         <xp name=\"out\"/><state name=\"x\">{}<tran trig=\"OUT\" target=\"../..\" cpref=\"../../1\">\
         <action>out();</action></tran></state></submachine>",
        enter("a"),
        enter("m"),
        enter("x"),
    ));
    assert_eq!(model.format, Format::Qm);
    assert_eq!(
        runs(&model, &["ONE", "OUT", "TWO", "OUT", "OUT"]),
        [
            "a_ENTRY",
            "a_EXIT m_ENTRY in x_ENTRY",
            "out x_EXIT left_one m_EXIT a_ENTRY",
            "a_EXIT m_ENTRY in x_ENTRY",
            // From the second instance into the first.
            "out x_EXIT m_EXIT m_ENTRY in x_ENTRY",
            "out x_EXIT left_one m_EXIT a_ENTRY",
        ]
    );
}

#[test]
fn scxml_events_are_what_is_said_of_them() {
    let model = read_text(
        "a.scxml",
        "<scxml xmlns='http://www.w3.org/2005/07/scxml' datamodel='c'>\
         <state id='a'><onentry><raise event='own'/><send event='later' id='t' delay='1.5s'/>\
         <send event='out.there' target='others'/></onentry>\
         <transition event='own'/><transition event='later'/><transition event='given.*'/>\
         <transition event='given.twice' target='b'/></state>\
         <state id='b'><state id='c'><transition event='*' target='d'/></state><final id='d'/>\
         <transition event='done.state.b' target='a'/></state></scxml>",
    )
    .unwrap()
    .model;
    let capsule = &model.capsules[0];
    let kind = |name: &str| capsule.event(capsule.event_named(None, name).unwrap()).kind;
    assert_eq!(kind("own"), EventKind::Internal);
    assert_eq!(kind("later"), EventKind::Timeout);
    assert_eq!(kind("given"), EventKind::Message);
    assert_eq!(kind("given.twice"), EventKind::Message);
    assert!(matches!(kind("done.state.b"), EventKind::Completion(_)));
    assert_eq!(capsule.sends[0].name, "out.there");
    let transitions = &capsule.machine.as_ref().unwrap().transitions;
    let waits = |name: &str| {
        let transition = transitions.iter().find(|it| it.name == name).unwrap();
        transition.triggers.len()
    };
    assert_eq!(waits("given.*"), 2);
    assert_eq!(waits("*"), capsule.events.len());
}
