//! The file with the capsules: their types, their machines, and the parts that there are of them.

use super::functions::Functions;
use super::parts::{Part, on_part, plan_of};
use super::plan::Plan;
use super::text::{Text, comment, ident};
use super::{capsule, dialect, ports, properties, qp, system};
use crate::model::{DeclarationKind, Format, Language, Model};

pub struct Written {
    pub text: Text,
    pub flows: Vec<(String, Vec<String>)>,
    pub hubs: Vec<String>,
}

/// What whoever runs the capsules has to provide, and what the code needs itself.
const HOOKS: &str = r#"/* Provided by whoever runs this. */
static void elw_reached(int element);
static void elw_left(int element);
static void elw_parameter(void *p, size_t size, const char *name);
static int elw_truth(const char *name);
static char *elw_text(const char *name);
static void elw_note(int part, const char *message, int more);
static void elw_with(const char *name, long long value);
static void elw_given(int part, int signal);

/* Virtual time, and the timer that is next. */
static long elw_now;
static long elw_soonest(void);
static void elw_route(int part, int sent, void *out);"#;

pub fn write(model: &Model, plans: &[Plan<'_>], parts: &[Part]) -> Written {
    let mut out = Text::new();
    out.line(&comment(&format!(
        "{}: made from {} for exploration; written anew each time.",
        model.name, model.file
    )));
    for header in ["stddef", "stdint", "stdbool", "stdlib", "string", "stdio"] {
        out.line(&format!("#include <{header}.h>"));
    }
    out.line("#include <elsewise.h>");
    out.blank();
    for plan in plans {
        dialect::names(plan, &mut out);
    }
    out.line(HOOKS);
    match model.format {
        Format::Qm => out.line(
            "static int elw_same(const char *one, const char *other) { return one == other; }",
        ),
        _ => out.line(
            "static int elw_same(const char *one, const char *other) { return one && other && !strcmp(one, other); }",
        ),
    }
    out.blank();
    match model.format {
        Format::Qm => qp::prelude(model, plans, &mut out),
        Format::UmlRt if model.language == Language::Cpp => out.line(ports::PRELUDE),
        Format::UmlRt | Format::Scxml => {}
    }
    for plan in plans {
        dialect::early(plan, &mut out);
    }
    declarations(
        model,
        &[DeclarationKind::Prelude, DeclarationKind::Type],
        &mut out,
    );
    properties::variables(model, &mut out);
    let mut all = Vec::new();
    for plan in plans {
        let mut functions = Functions::new(plan);
        functions.write();
        capsule::runtime(&mut functions);
        capsule::types(plan, &mut out);
        all.push(functions);
    }
    for (plan, functions) in plans.iter().zip(&all) {
        dialect::class(plan, &functions.heads, &mut out);
    }
    for part in parts {
        let name = ident(&model.capsules[part.capsule].name);
        // The model may have said so itself.
        let said = model
            .declarations
            .iter()
            .any(|one| one.name == part.variable);
        if !said {
            out.line(&format!("{name} {};", part.variable));
        }
    }
    declarations(
        model,
        &[DeclarationKind::Variable, DeclarationKind::Function],
        &mut out,
    );
    let (mut flows, mut hubs) = (Vec::new(), Vec::new());
    for (plan, functions) in plans.iter().zip(all) {
        capsule::takes(plan, &mut out);
        if model.format == Format::Scxml {
            capsule::active(plan, &mut out);
        }
        if model.format == Format::UmlRt {
            ports::bodies(plan, &mut out);
        }
        dialect::operations(plan, &mut out);
        hubs.push(functions.qualified("dispatch"));
        flows.extend(functions.flows);
        out.append(functions.text);
    }
    if model.format == Format::Qm {
        let of_plan = |part: &Part| plans.iter().position(|plan| plan.index == part.capsule);
        let known = parts
            .iter()
            .filter_map(|part| of_plan(part).map(|plan| (plan, part.variable.clone())));
        qp::runtime(model, plans, &known.collect::<Vec<_>>(), &mut out);
    }
    soonest(plans, parts, &mut out);
    system::route(model, plans, parts, &mut out);
    flows.extend(system::flows(model, plans, parts, &|plan, name| {
        Functions::new(plan).qualified(name)
    }));
    Written {
        text: out,
        flows,
        hubs,
    }
}

fn declarations(model: &Model, kinds: &[DeclarationKind], out: &mut Text) {
    for declaration in &model.declarations {
        if kinds.contains(&declaration.kind) {
            out.code(&declaration.code, &declaration.name);
        }
    }
    out.blank();
}

fn soonest(plans: &[Plan<'_>], parts: &[Part], out: &mut Text) {
    out.line("static long elw_soonest(void)");
    out.open("{");
    out.line("long soonest = -1, one;");
    for part in parts {
        let call = on_part(plan_of(plans, part), part, "soonest", "");
        out.line(&format!("one = {call};"));
        out.line("if (one >= 0 && (soonest < 0 || one < soonest))");
        out.line("    soonest = one;");
    }
    out.line("return soonest;");
    out.close("}");
    out.blank();
}
