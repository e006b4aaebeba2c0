//! What surrounds the machine of a capsule: its types, its queues and timers, its beginning and its
//! rest.

use super::fields::{QUEUE, TIMERS, is_number, member};
use super::functions::Functions;
use super::plan::Plan;
use super::text::{Text, comment, quoted};
use super::{dialect, properties};
use crate::model::{Parameter, VertexId};
/// Steps without a message after which a machine counts as one that never rests.
const ROUNDS: usize = 1000;

/// Types that action code may speak of: states, messages.
pub fn types(plan: &Plan<'_>, out: &mut Text) {
    let name = &plan.name;
    out.line(&comment(&format!("States of {}", plan.capsule.name)));
    out.open("enum {");
    for id in plan.vertex_ids() {
        if plan.vertex(id).is_state() {
            out.line(&format!("{} = {},", plan.at(id), id.index() + 1));
        }
    }
    out.close("};");
    out.blank();
    out.line(&comment("What it can be given"));
    out.open("enum {");
    out.line(&format!("{name}_sig_none_ = 0,"));
    for event in plan.event_ids() {
        let number = plan.numbers[event.index()];
        out.line(&format!("{} = {number},", plan.signal(event)));
    }
    out.close("};");
    out.blank();
    for (index, sent) in plan.capsule.sends.iter().enumerate() {
        out.open(&format!("struct {name}_out_{index} {{"));
        out.line("char none;");
        for parameter in &sent.parameters {
            out.line(&member(parameter));
        }
        out.close("};");
    }
    out.open(&format!("typedef struct {name}_Message {{"));
    out.line("int signal;");
    out.line(&comment("Its parameters are known."));
    out.line("int asked;");
    out.open("union {");
    out.line("char none;");
    dialect::payloads(plan, out);
    out.close("} with;");
    out.close(&format!("}} {name}_Message;"));
    out.blank();
}

/// By number of a state: that of the one around it.
pub fn around(plan: &Plan<'_>) -> String {
    let parent = |id| plan.vertex(id).parent;
    let parents: Vec<String> = plan
        .vertex_ids()
        .map(|id| {
            parent(id)
                .map_or(0, |parent| parent.index() + 1)
                .to_string()
        })
        .collect();
    format!("{{ 0, {} }}", parents.join(", "))
}

/// Whether a state is active: the one that the machine is in, or one around it.
pub fn active(plan: &Plan<'_>, out: &mut Text) {
    let name = &plan.name;
    out.line(&format!("static int {name}_in({name} *me, int state)"));
    out.open("{");
    out.line(&format!("static const int around[] = {};", around(plan)));
    out.line("for (int at = me->elw_at; at; at = around[at]) {");
    out.line("    if (at == state + 1)");
    out.line("        return 1;");
    out.line("}");
    out.line("return 0;");
    out.close("}");
    out.line(&format!("#define In(state) {name}_in(me, state)"));
    out.blank();
}

/// Asks for the parameters of a message of the environment's when they are needed.
pub fn takes(plan: &Plan<'_>, out: &mut Text) {
    let name = &plan.name;
    for event in plan.event_ids() {
        let field = &plan.events[event.index()];
        let about = plan.capsule.event(event);
        out.open(&format!(
            "static void {name}_take_{field}({name}_Message *m)\n{{"
        ));
        out.line(&format!("m->signal = {};", plan.signal(event)));
        dialect::taken(plan, event, out);
        if !about.parameters.is_empty() {
            out.line("if (m->asked)");
            out.line("    return;");
            out.line("m->asked = 1;");
            for parameter in &about.parameters {
                out.line(&ask(
                    parameter,
                    &format!("m->with.{field}.{}", parameter.name),
                ));
            }
        }
        out.close("}");
        out.blank();
    }
}

/// What makes a parameter an input.
fn ask(parameter: &Parameter, place: &str) -> String {
    let key = quoted(&parameter.name);
    let of = parameter.of.trim();
    let words: Vec<&str> = of.split_whitespace().collect();
    let pointer = of.ends_with('*') || of.ends_with("* const");
    match (pointer, words.last().copied()) {
        _ if parameter.array.is_some() && !pointer => {
            format!("elw_parameter({place}, sizeof {place}, {key});")
        }
        (true, _) if words.contains(&"char") || of.contains("char*") => {
            format!("{place} = elw_text({key});")
        }
        // Nobody knows what it should lead to.
        (true, _) => format!("(void){key};"),
        (false, Some("bool" | "_Bool")) => format!("{place} = elw_truth({key});"),
        (false, _) => format!("elw_parameter(&{place}, sizeof {place}, {key});"),
    }
}

/// Functions that are alike for every capsule.
pub fn runtime(functions: &mut Functions<'_>) {
    let plan = functions.plan;
    let name = plan.name.clone();
    let message = functions.message();
    let internal = match plan.model.semantics.internal_first {
        true => "internal",
        false => "queue",
    };
    for (verb, queue, parameter) in [
        ("post", "queue", message.clone()),
        ("defer", "deferred", message.clone()),
        ("raise", internal, "int signal".to_string()),
    ] {
        functions.begin("int", verb, &parameter);
        let field = functions.field(queue);
        if verb == "raise" {
            functions
                .text
                .line(&format!("{name}_Message raised = {{0}};"));
            functions
                .text
                .line(&format!("{name}_Message *m = &raised;"));
            functions.text.line("m->signal = signal;");
        }
        functions.text.line("m->asked = 1;");
        let place = plan.capsule.place;
        let words = &plan.capsule.name;
        functions
            .text
            .check(&format!("if ({field}.count == {QUEUE})"), place, words);
        let full = quoted(&format!(
            "{QUEUE} messages wait for {words}, and another comes"
        ));
        let file = quoted(&plan.model.file);
        functions.text.check(
            &format!("    elsewise_fail({full}, {file}, {});", place.line),
            place,
            words,
        );
        functions.text.line(&format!(
            "{field}.at[({field}.first + {field}.count++) % {QUEUE}] = *m;"
        ));
        functions.text.line("return 1;");
        functions.end();
    }
    timers(functions);
    start(functions);
    settle(functions);
    sends(functions);
}

fn timers(functions: &mut Functions<'_>) {
    let name = functions.plan.name.clone();
    let timers = functions.field("timers");
    let message = functions.message();
    let each = format!("for (int i = 0; i < {TIMERS}; i++) {{");
    functions.begin(
        "void",
        "arm",
        &format!("{message}, long delay, const char *id"),
    );
    functions.text.open(&each);
    functions
        .text
        .line(&format!("if ({timers}[i].message.signal)"));
    functions.text.line("    continue;");
    functions.text.line(&format!("{timers}[i].message = *m;"));
    functions
        .text
        .line(&format!("{timers}[i].due = elw_now + delay;"));
    functions.text.line(&format!("{timers}[i].id = id;"));
    functions.text.line("return;");
    functions.text.close("}");
    functions.end();

    functions.begin("void", "disarm", "const char *id");
    functions.text.open(&each);
    functions.text.line(&format!(
        "if ({timers}[i].message.signal && elw_same({timers}[i].id, id))"
    ));
    functions
        .text
        .line(&format!("    {timers}[i].message.signal = 0;"));
    functions.text.close("}");
    functions.end();

    functions.begin("long", "soonest", "");
    functions.text.line("long soonest = -1;");
    functions.text.open(&each);
    functions.text.line(&format!(
        "if ({timers}[i].message.signal && (soonest < 0 || {timers}[i].due < soonest))"
    ));
    functions
        .text
        .line(&format!("    soonest = {timers}[i].due;"));
    functions.text.close("}");
    functions.text.line("return soonest;");
    functions.end();

    functions
        .text
        .line(&comment("Is it the time of a timer that would give this?"));
    functions.begin("int", "due", "int signal");
    functions.text.line("long soonest = elw_soonest();");
    functions.text.open(&each);
    functions.text.line(&format!(
        "if ({timers}[i].message.signal == signal && {timers}[i].due == soonest)"
    ));
    functions.text.line("    return 1;");
    functions.text.close("}");
    functions.text.line("return 0;");
    functions.end();

    functions.begin("void", "expire", &format!("int signal, {name}_Message *m"));
    functions.text.open(&each);
    functions
        .text
        .line(&format!("if ({timers}[i].message.signal != signal)"));
    functions.text.line("    continue;");
    functions
        .text
        .line(&format!("if ({timers}[i].due > elw_now)"));
    functions
        .text
        .line(&format!("    elw_now = {timers}[i].due;"));
    functions.text.line(&format!("*m = {timers}[i].message;"));
    functions
        .text
        .line(&format!("{timers}[i].message.signal = 0;"));
    functions.text.line("return;");
    functions.text.close("}");
    functions.end();
}

fn start(functions: &mut Functions<'_>) {
    let plan = functions.plan;
    functions.begin("void", "start", "int part");
    functions
        .text
        .line(&format!("{}_Message m = {{0}};", plan.name));
    let (part, at) = (functions.field("part"), functions.field("at"));
    functions.text.line(&format!("{part} = part;"));
    functions
        .text
        .line(&format!("{at} = {};", plan.at(VertexId::TOP)));
    dialect::begin(functions);
    if let Some(initial) = plan.vertex(VertexId::TOP).initial {
        let call = functions.call(&format!("t{}", initial.0), "&m");
        functions.text.line(&format!("{call};"));
    }
    let settle = functions.call("settle", "");
    functions.text.line(&format!("{settle};"));
    functions.end();
}

fn settle(functions: &mut Functions<'_>) {
    let plan = functions.plan;
    let (name, place) = (&plan.name, plan.capsule.place);
    let words = plan.capsule.name.clone();
    let file = quoted(&plan.model.file);
    functions.text.line(&comment(
        "Goes on until only a message from outside could change anything.",
    ));
    functions.begin("void", "settle", "");
    let internal = functions.field("internal");
    let ended = functions.field("ended");
    functions.text.line(&format!("{name}_Message m = {{0}};"));
    functions.text.open("for (int rounds = 0;; rounds++) {");
    functions
        .text
        .check(&format!("if (rounds == {ROUNDS})"), place, &words);
    let never = quoted(&format!("{words} never comes to rest"));
    let fail = format!("    elsewise_fail({never}, {file}, {});", place.line);
    functions.text.check(&fail, place, &words);
    functions.text.line(&format!("if ({ended})"));
    functions.text.line("    return;");
    functions.text.line("m.signal = 0;");
    let complete = functions.call("complete", "&m");
    functions.text.line(&format!("if ({complete})"));
    functions.text.line("    continue;");
    functions.text.line(&format!("if ({internal}.count == 0)"));
    functions.text.line("    break;");
    functions
        .text
        .line(&format!("m = {internal}.at[{internal}.first];"));
    functions.text.line(&format!(
        "{internal}.first = ({internal}.first + 1) % {QUEUE};"
    ));
    functions.text.line(&format!("{internal}.count--;"));
    let dispatch = functions.call("dispatch", "&m");
    functions.text.line(&format!("{dispatch};"));
    functions.text.close("}");
    let at = functions.field("at");
    let invariants: Vec<VertexId> = plan
        .vertex_ids()
        .filter(|id| !plan.vertex(*id).invariants.is_empty())
        .collect();
    if !invariants.is_empty() {
        functions.text.open(&format!("switch ({at}) {{"));
        for leaf in plan.vertex_ids().skip(1).filter(|id| plan.is_leaf(*id)) {
            let around: Vec<VertexId> = plan
                .machine
                .upwards(leaf)
                .filter(|id| invariants.contains(id))
                .collect();
            if around.is_empty() {
                continue;
            }
            functions.text.line(&format!("case {}:", plan.at(leaf)));
            functions.text.deeper();
            for state in around {
                let words = plan.machine.path(state);
                for code in &plan.vertex(state).invariants {
                    let condition = dialect::condition(plan, code);
                    let message = quoted(&format!("`{condition}`, which holds in {words}"));
                    let check = format!("if (!({condition}))");
                    functions.text.check(&check, code.place, &words);
                    let place = plan.vertex(state).place;
                    let fail = format!("    elsewise_fail({message}, {file}, {});", place.line);
                    functions.text.check(&fail, place, &words);
                }
            }
            functions.text.line("break;");
            functions.text.back();
        }
        functions.text.close("}");
    }
    properties::rest(functions);
    functions.end();

    let message = functions.message();
    functions.text.line(&comment(
        "A message, and all that follows from it. 0 if nothing came of it.",
    ));
    functions.begin("int", "give", &message);
    let deferred = functions.field("deferred");
    functions.text.line(&format!("if ({ended})"));
    functions.text.line("    return 0;");
    properties::received(functions);
    let part = functions.field("part");
    functions
        .text
        .line(&format!("elw_given({part}, m->signal);"));
    functions.text.line(&format!("int before = {at};"));
    let dispatch = functions.call("dispatch", "m");
    functions.text.line(&format!("int taken = {dispatch};"));
    functions
        .text
        .line(&format!("{settle};", settle = functions.call("settle", "")));
    // What was kept for later is looked at again where the state has changed.
    if plan
        .vertex_ids()
        .any(|id| !plan.vertex(id).deferred.is_empty())
    {
        functions.text.open(&format!("if (before != {at}) {{"));
        functions
            .text
            .line(&format!("int waiting = {deferred}.count;"));
        functions.text.open("while (waiting-- > 0) {");
        functions.text.line(&format!(
            "{name}_Message again = {deferred}.at[{deferred}.first];"
        ));
        functions.text.line(&format!(
            "{deferred}.first = ({deferred}.first + 1) % {QUEUE};"
        ));
        functions.text.line(&format!("{deferred}.count--;"));
        let give = functions.call("give", "&again");
        functions.text.line(&format!("{give};"));
        functions.text.close("}");
        functions.text.close("}");
    } else {
        functions.text.line("(void)before;");
    }
    functions.text.line("return taken;");
    functions.end();

    functions.begin("int", "next", "");
    let queue = functions.field("queue");
    functions.text.line(&format!("{name}_Message m;"));
    functions.text.line(&format!("if ({queue}.count == 0)"));
    functions.text.line("    return 0;");
    functions
        .text
        .line(&format!("m = {queue}.at[{queue}.first];"));
    functions
        .text
        .line(&format!("{queue}.first = ({queue}.first + 1) % {QUEUE};"));
    functions.text.line(&format!("{queue}.count--;"));
    let give = functions.call("give", "&m");
    functions.text.line(&format!("{give};"));
    functions.text.line("return 1;");
    functions.end();
}

/// Messages to others.
fn sends(functions: &mut Functions<'_>) {
    let plan = functions.plan;
    for (index, sent) in plan.capsule.sends.iter().enumerate() {
        let of = format!("struct {}_out_{index} *out", plan.name);
        functions.begin("void", &format!("send_{index}"), &of);
        let label = match sent.port {
            Some(port) => format!("{}.{}", plan.capsule.ports[port.index()].name, sent.name),
            None => sent.name.clone(),
        };
        functions.text.line("(void)out;");
        let part = functions.field("part");
        functions
            .text
            .line(&format!("elw_note({part}, {}, 0);", quoted(&label)));
        for parameter in &sent.parameters {
            let numeric = parameter.array.is_none() && is_number(&parameter.of);
            if numeric {
                let text = format!(
                    "elw_with({}, (long long)out->{});",
                    quoted(&parameter.name),
                    parameter.name
                );
                functions.text.line(&text);
            }
        }
        properties::sent(functions, index);
        functions
            .text
            .line(&format!("elw_route({part}, {index}, out);"));
        functions.end();
    }
}
