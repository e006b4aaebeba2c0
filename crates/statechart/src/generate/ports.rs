//! What action code of UML-RT models calls of its run-time system: ports that messages are sent at,
//! timers and a log, told again for the generated code.

use super::functions::Functions;
use super::plan::Plan;
use super::text::{Text, ident};
use crate::model::{EventKind, Operation, Parameter, PortId, Service};

/// Types of the run-time system under the names that action code knows.
pub const PRELUDE: &str = r#"struct UMLRTTimespec {
    long tv_sec, tv_nsec;
    UMLRTTimespec(long sec = 0, long nsec = 0) : tv_sec(sec), tv_nsec(nsec) {}
};
struct UMLRTTimerId {
    const char *id;
    UMLRTTimerId() : id(0) {}
    bool isValid() const { return id != 0; }
};
struct UMLRTCapsuleId { bool isValid() const { return false; } };
struct elw_Log {
    template <typename... Any> void log(Any...) {}
    template <typename... Any> void show(Any...) {}
    template <typename... Any> void tab(Any...) {}
    template <typename... Any> void space(Any...) {}
    template <typename... Any> void cr(Any...) {}
    template <typename... Any> void crtab(Any...) {}
    template <typename... Any> void commit(Any...) {}
};"#;

fn spelled(parameters: &[Parameter]) -> String {
    let one = |parameter: &Parameter| match &parameter.array {
        Some(size) => format!("{} {}[{size}]", parameter.of, parameter.name),
        None => format!("{} {}", parameter.of, parameter.name),
    };
    parameters.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The head of an operation, inside of its class or not.
pub fn head(operation: &Operation, class: &str) -> String {
    let prefix = match (operation.shared, class.is_empty()) {
        (true, true) => "static ",
        _ => "",
    };
    let returns = match operation.returns.trim() {
        "" => "void",
        returns => returns,
    };
    format!(
        "{prefix}{returns} {class}{}({})",
        operation.name,
        spelled(&operation.parameters)
    )
}

pub fn operations(plan: &Plan<'_>, out: &mut Text) {
    for operation in &plan.capsule.operations {
        let Some(body) = &operation.body else {
            continue;
        };
        out.line(&head(operation, &format!("{}::", plan.name)));
        out.open("{");
        out.code(body, &format!("{}::{}", plan.capsule.name, operation.name));
        out.close("}");
        out.blank();
    }
}

/// Ports as types: each message is a function that gives something that can be sent.
pub fn types(plan: &Plan<'_>, out: &mut Text) {
    let name = &plan.name;
    out.line(&format!("struct {name};"));
    for (index, sent) in plan.capsule.sends.iter().enumerate() {
        if sent.port.is_none() {
            continue;
        }
        out.open(&format!("struct {name}_outgoing_{index} {{"));
        out.line(&format!("struct {name} *owner;"));
        out.line(&format!("struct {name}_out_{index} out;"));
        out.line("bool send();");
        out.line("bool sendAt(int) { return send(); }");
        out.close("};");
    }
    for (index, port) in plan.capsule.ports.iter().enumerate() {
        out.open(&format!("struct {name}_port_{} {{", ident(&port.name)));
        out.line(&format!("struct {name} *owner;"));
        match port.service {
            Some(Service::Timing) => {
                out.line("UMLRTTimerId informIn(const UMLRTTimespec &delay, ...);");
                out.line("UMLRTTimerId informEvery(const UMLRTTimespec &delay, ...);");
                out.line("bool cancelTimer(UMLRTTimerId &id);");
            }
            Some(Service::Log) => {
                out.line("template <typename... Any> void log(Any...) {}");
                out.line("template <typename... Any> void show(Any...) {}");
                out.line("template <typename... Any> void cr(Any...) {}");
            }
            Some(Service::Frame) | None => {}
        }
        let sends = plan.capsule.sends.iter().enumerate();
        for (number, sent) in sends.filter(|(_, one)| one.port == Some(PortId::of(index))) {
            let parameters: Vec<String> = sent
                .parameters
                .iter()
                .map(|one| match &one.array {
                    Some(size) => format!("const {} (&{})[{size}]", one.of, one.name),
                    None => format!("const {} &{}", one.of, one.name),
                })
                .collect();
            out.open(&format!(
                "{name}_outgoing_{number} {}({}) {{",
                sent.name,
                parameters.join(", ")
            ));
            out.line(&format!("{name}_outgoing_{number} outgoing = {{}};"));
            out.line("outgoing.owner = owner;");
            for one in &sent.parameters {
                out.line(&match one.array {
                    Some(_) => format!(
                        "memcpy(outgoing.out.{0}, {0}, sizeof outgoing.out.{0});",
                        one.name
                    ),
                    None => format!("outgoing.out.{0} = {0};", one.name),
                });
            }
            out.line("return outgoing;");
            out.close("}");
        }
        out.line("int size() const { return 1; }");
        out.close("};");
    }
}

pub fn members(plan: &Plan<'_>, out: &mut Text) {
    for port in &plan.capsule.ports {
        let kind = ident(&port.name);
        out.line(&format!("{}_port_{kind} {};", plan.name, port.name));
    }
}

pub fn begin(functions: &mut Functions<'_>) {
    for port in &functions.plan.capsule.ports {
        functions
            .text
            .line(&format!("this->{}.owner = this;", port.name));
    }
}

/// What the ports' functions do, once the capsule's type is complete.
pub fn bodies(plan: &Plan<'_>, out: &mut Text) {
    let name = &plan.name;
    for (index, sent) in plan.capsule.sends.iter().enumerate() {
        if sent.port.is_some() {
            out.line(&format!("bool {name}_outgoing_{index}::send()"));
            out.line("{");
            out.line(&format!("    owner->elw_send_{index}(&out);"));
            out.line("    return true;");
            out.line("}");
            out.blank();
        }
    }
    for (index, port) in plan.capsule.ports.iter().enumerate() {
        if port.service != Some(Service::Timing) {
            continue;
        }
        let class = format!("{name}_port_{}", ident(&port.name));
        let event = plan.event_ids().find(|event| {
            let about = plan.capsule.event(*event);
            about.port == Some(PortId::of(index)) && about.kind == EventKind::Timeout
        });
        for way in ["informIn", "informEvery"] {
            out.line(&format!(
                "UMLRTTimerId {class}::{way}(const UMLRTTimespec &delay, ...)"
            ));
            out.open("{");
            out.line(&format!("static const char made[] = {:?};", port.name));
            out.line("UMLRTTimerId id;");
            out.line("id.id = made;");
            if let Some(event) = event {
                out.line(&format!("{name}_Message m = {{}};"));
                out.line(&format!("m.signal = {};", plan.signal(event)));
                out.line("m.asked = 1;");
                out.line(
                    "owner->elw_arm(&m, delay.tv_sec * 1000 + delay.tv_nsec / 1000000, made);",
                );
            }
            out.line("return id;");
            out.close("}");
        }
        out.line(&format!("bool {class}::cancelTimer(UMLRTTimerId &id)"));
        out.line("{");
        out.line("    owner->elw_disarm(id.id);");
        out.line("    return true;");
        out.line("}");
        out.blank();
    }
}
