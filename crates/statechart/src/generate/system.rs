//! Several parts together: how messages get from one to another, whose turn it is, and who waits for
//! whom.

use super::Options;
use super::parts::{Part, is_offered, is_part, on_part, others, plan_of};
use super::plan::Plan;
use super::text::{Text, comment, quoted};
use crate::model::{EventId, EventKind, Model, VertexId};

/// A message on its way from one part to another.
struct Way {
    from: usize,
    /// An index of what the sender can send.
    sent: usize,
    to: usize,
    /// As the receiver knows it.
    event: EventId,
}

fn ways(model: &Model, plans: &[Plan<'_>], parts: &[Part]) -> Vec<Way> {
    let mut ways = Vec::new();
    for (from, part) in parts.iter().enumerate() {
        for (sent, about) in plan_of(plans, part).capsule.sends.iter().enumerate() {
            let Some(port) = about.port else {
                continue;
            };
            for end in others(model, part, port) {
                let Some(to) = parts.iter().position(|one| is_part(model, one, end.part)) else {
                    continue;
                };
                let their = plan_of(plans, &parts[to]).capsule;
                if let Some(event) = their.event_named(Some(end.port), &about.name) {
                    ways.push(Way {
                        from,
                        sent,
                        to,
                        event,
                    });
                }
            }
        }
    }
    ways
}

/// What is sent at a port that is connected arrives at the other end.
pub fn route(model: &Model, plans: &[Plan<'_>], parts: &[Part], out: &mut Text) {
    out.line("static void elw_route(int part, int sent, void *out)");
    out.open("{");
    out.line("(void)part; (void)sent; (void)out;");
    let ways = ways(model, plans, parts);
    out.open("switch (part) {");
    for (number, part) in parts.iter().enumerate() {
        let own: Vec<&Way> = ways.iter().filter(|way| way.from == number).collect();
        if own.is_empty() {
            continue;
        }
        out.line(&format!("case {number}:"));
        out.deeper();
        for way in own {
            let (plan, to) = (plan_of(plans, part), &parts[way.to]);
            let their = plan_of(plans, to);
            let sent = way.sent;
            out.open(&format!("if (sent == {sent}) {{"));
            out.line(&format!("{}_Message m = {{0}};", their.name));
            out.line(&format!("m.signal = {};", their.signal(way.event)));
            let field = &their.events[way.event.index()];
            let known = &their.capsule.event(way.event).parameters;
            for parameter in &plan.capsule.sends[sent].parameters {
                if known.iter().any(|one| one.name == parameter.name) {
                    out.line(&format!(
                        "memcpy(&m.with.{field}.{0}, &((struct {1}_out_{sent} *)out)->{0}, sizeof m.with.{field}.{0});",
                        parameter.name, plan.name
                    ));
                }
            }
            out.line(&format!("{};", on_part(their, to, "post", "&m")));
            out.close("}");
        }
        out.line("break;");
        out.back();
    }
    out.close("}");
    out.close("}");
    out.blank();
}

/// What follows in another part where something is sent to it, for the search: functions by name.
pub fn flows(
    model: &Model,
    plans: &[Plan<'_>],
    parts: &[Part],
    names: &dyn Fn(&Plan<'_>, &str) -> String,
) -> Vec<(String, Vec<String>)> {
    let mut flows = Vec::new();
    for way in ways(model, plans, parts) {
        let sender = plan_of(plans, &parts[way.from]);
        let their = plan_of(plans, &parts[way.to]);
        let takes = |id: &VertexId| their.takes(*id).contains(&way.event);
        let handlers = their.vertex_ids().filter(takes);
        let next = handlers.map(|id| names(their, &format!("on_{}", their.vertices[id.index()])));
        flows.push((names(sender, &format!("send_{}", way.sent)), next.collect()));
    }
    flows
}

/// Messages that follow from one of the environment's, after which a system counts as one that never
/// rests.
const MOST_MESSAGES: usize = 1000;

/// All that waits is handled. Whose turn it is where several could go on is up to the case, and so is
/// whether something comes from outside before.
pub fn drain(model: &Model, plans: &[Plan<'_>], parts: &[Part], options: &Options, out: &mut Text) {
    let (who, line) = match (parts, &model.system) {
        ([part], _) => (&part.name, plan_of(plans, part).capsule.place.line),
        (_, Some(system)) => (&system.name, system.place.line),
        (_, None) => (&model.name, 0),
    };
    let never = format!(
        "elsewise_fail({}, {}, {line});",
        quoted(&format!(
            "{who} never comes to rest: {MOST_MESSAGES} messages follow from one"
        )),
        quoted(&model.file)
    );
    out.line("static int elw_overtaken;");
    out.line("static void elw_drain(int may_wait)");
    out.open("{");
    if let [part] = parts {
        let next = on_part(plan_of(plans, part), part, "next", "");
        out.line(&format!("int left = {MOST_MESSAGES};"));
        out.line("(void)may_wait; (void)elw_overtaken;");
        out.open(&format!("while ({next}) {{"));
        out.line("if (--left == 0)");
        out.line(&format!("    {never}"));
        out.close("}");
        out.close("}");
        out.blank();
        return;
    }
    out.open(&format!(
        "for (int left = {MOST_MESSAGES}; left > 0; left--) {{"
    ));
    out.line(&format!("int waiting[{}], count = 0;", parts.len().max(1)));
    for (number, part) in parts.iter().enumerate() {
        out.line(&format!("if ({}.elw_queue.count)", part.variable));
        out.line(&format!("    waiting[count++] = {number};"));
    }
    out.line("unsigned char turn = 0;");
    out.open("if (count == 0) {");
    out.line("elw_deadlock();");
    out.line("return;");
    out.close("}");
    let overtake = options.overtake;
    out.line(&format!(
        "int open = may_wait && elw_step < {} && elw_overtaken < {overtake};",
        options.steps
    ));
    out.open("if (count + open > 1) {");
    out.line("char key[48];");
    out.line("elsewise_input(&turn, 1, elw_key(key, \"turn_\", \"\", ++elw_order));");
    out.line("elsewise_assume(turn < count + open);");
    out.close("}");
    out.line(&comment("Something comes from outside first."));
    out.open("if (open && turn == count) {");
    out.line("elw_overtaken++;");
    out.line("return;");
    out.close("}");
    out.open("for (int i = 0; i < count; i++) {");
    out.line("if (turn != i)");
    out.line("    continue;");
    out.open("switch (waiting[i]) {");
    for (number, part) in parts.iter().enumerate() {
        let next = on_part(plan_of(plans, part), part, "next", "");
        out.line(&format!("case {number}: {next}; break;"));
    }
    out.close("}");
    out.line("break;");
    out.close("}");
    out.close("}");
    out.line(&never);
    out.close("}");
    out.blank();
}

/// At rest, parts that wait for messages of each other, and for nothing else, wait for ever.
pub fn deadlock(model: &Model, plans: &[Plan<'_>], parts: &[Part], out: &mut Text) {
    let ways = ways(model, plans, parts);
    let file = quoted(&model.file);
    let count = parts.len();
    out.line("static void elw_deadlock(void)");
    out.open("{");
    out.line(&format!("unsigned long long waits[{count}], stuck = 0;"));
    out.line(&format!("const char *about[{count}];"));
    out.line(&format!("int line[{count}];"));
    for (number, part) in parts.iter().enumerate() {
        let plan = plan_of(plans, part);
        let cases: Vec<(VertexId, u64, String)> = plan
            .vertex_ids()
            .filter(|id| plan.is_leaf(*id))
            .filter_map(|leaf| waiting(model, plans, parts, &ways, number, leaf))
            .collect();
        if cases.is_empty() {
            continue;
        }
        let soonest = on_part(plan, part, "soonest", "");
        out.open(&format!(
            "if (!{0}.elw_ended && {soonest} < 0) switch ({0}.elw_at) {{",
            part.variable
        ));
        for (leaf, whom, words) in cases {
            out.line(&format!("case {}:", plan.at(leaf)));
            out.line(&format!(
                "    stuck |= 1ULL << {number}, waits[{number}] = {whom:#x}ULL;"
            ));
            out.line(&format!(
                "    line[{number}] = {}, about[{number}] = {};",
                plan.vertex(leaf).place.line,
                quoted(&words)
            ));
            out.line("    break;");
        }
        out.close("}");
    }
    out.open("for (unsigned long long before = 0; before != stuck;) {");
    out.line("before = stuck;");
    out.line(&format!("for (int i = 0; i < {count}; i++)"));
    out.line("    if (before >> i & 1 && waits[i] & ~before)");
    out.line("        stuck &= ~(1ULL << i);");
    out.close("}");
    out.line("if (!stuck)");
    out.line("    return;");
    out.line("static char words[600] = \"deadlock: \";");
    out.line("int at = 0, first = 0;");
    out.open(&format!("for (int i = {count} - 1; i >= 0; i--) {{"));
    out.line("if (stuck >> i & 1)");
    out.line("    first = i;");
    out.close("}");
    out.open(&format!("for (int i = 0; i < {count}; i++) {{"));
    out.line("if (!(stuck >> i & 1))");
    out.line("    continue;");
    out.line("strncat(words, at++ ? \"; \" : \"\", sizeof words - strlen(words) - 1);");
    out.line("strncat(words, about[i], sizeof words - strlen(words) - 1);");
    out.close("}");
    out.line(&format!("elsewise_fail(words, {file}, line[first]);"));
    out.close("}");
    out.blank();
}

/// The parts whose messages a part waits for in a state, and that in words. None where something else
/// could come as well, or nothing at all is waited for.
fn waiting(
    model: &Model,
    plans: &[Plan<'_>],
    parts: &[Part],
    ways: &[Way],
    number: usize,
    leaf: VertexId,
) -> Option<(VertexId, u64, String)> {
    let part = &parts[number];
    let plan = plan_of(plans, part);
    let (mut whom, mut what) = (0u64, Vec::new());
    for id in plan.machine.upwards(leaf) {
        for event in plan.takes(id) {
            match plan.capsule.event(event).kind {
                // At rest, and with no timer that runs, none of these can come.
                EventKind::Timeout | EventKind::Internal | EventKind::Completion(_) => continue,
                EventKind::Message if is_offered(model, plan, part, event) => return None,
                EventKind::Message => {}
            }
            let senders = ways
                .iter()
                .filter(|way| way.to == number && way.event == event);
            let senders = senders.fold(0, |all, way| all | 1u64 << way.from);
            if senders == 0 {
                // Of somebody who is not explored.
                return None;
            }
            whom |= senders;
            what.push(plan.capsule.event_label(event));
        }
    }
    what.sort();
    what.dedup();
    let what = match what.as_slice() {
        [] => return None,
        [one] => one.clone(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    };
    let state = plan.machine.path(leaf);
    Some((
        leaf,
        whom,
        format!("{} waits in {state} for {what}", part.name),
    ))
}
