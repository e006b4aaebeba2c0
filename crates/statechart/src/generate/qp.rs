//! What action code of QM models calls of QP: posting, publishing and time events, told again for the
//! generated code. Nothing of QP itself is in here.

use super::functions::Functions;
use super::plan::Plan;
use super::text::{Text, quoted};
use crate::model::{Code, DeclarationKind, Guard, Model, Operation, Parameter, Statement};
use std::collections::BTreeSet;

/// Types and macros under the names that action code knows.
const PRELUDE: &str = r#"typedef unsigned short QSignal;
typedef struct QEvt { QSignal sig; unsigned char poolId_, refCtr_; } QEvt;
typedef struct QActive { int elw_kind; } QActive;
typedef QActive QHsm;
typedef QActive QMActive;
typedef QActive QMsm;
typedef struct QTimeEvt { QEvt super; void *act; long interval; } QTimeEvt;
typedef unsigned QTimeEvtCtr;
enum { Q_USER_SIG = 4 };
#define Q_EVT_CAST(type_) ((type_ const *)e)
#define Q_STATE_CAST(handler_) 0
#define Q_ACTION_CAST(action_) 0
#define Q_UNUSED_PAR(par_) ((void)(par_))
#define Q_DIM(array_) (sizeof(array_) / sizeof((array_)[0]))
#define Q_ASSERT(test_) ((test_) ? (void)0 : elsewise_fail(#test_, __FILE__, __LINE__))
#define Q_ASSERT_ID(id_, test_) Q_ASSERT(test_)
#define Q_REQUIRE(test_) Q_ASSERT(test_)
#define Q_ENSURE(test_) Q_ASSERT(test_)
#define Q_INVARIANT(test_) Q_ASSERT(test_)
#define Q_ERROR() elsewise_fail("Q_ERROR", __FILE__, __LINE__)
#define QActive_ctor(me_, initial_) ((void)(me_))
#define QHsm_ctor(me_, initial_) ((void)(me_))
#define QMActive_ctor(me_, initial_) ((void)(me_))
#define QMsm_ctor(me_, initial_) ((void)(me_))
#define QActive_subscribe(me_, sig_) ((void)(me_))
#define QActive_unsubscribe(me_, sig_) ((void)(me_))
#define QTimeEvt_ctorX(te_, act_, sig_, rate_) \
    ((te_)->super.sig = (QSignal)(sig_), (te_)->act = (void *)(act_))
#define Q_NEW(type_, sig_) ((type_ *)elw_qp_new(sizeof(type_), (QSignal)(sig_)))
#define Q_NEW_X(e_, type_, margin_, sig_) ((e_) = Q_NEW(type_, sig_))
#define QACTIVE_POST(act_, e_, sender_) elw_qp_post((void *)(act_), (QEvt const *)(e_))
#define QACTIVE_POST_X(act_, e_, margin_, sender_) (QACTIVE_POST(act_, e_, sender_), 1)
#define QACTIVE_POST_LIFO(act_, e_) elw_qp_post((void *)(act_), (QEvt const *)(e_))
#define QActive_postLIFO(act_, e_) elw_qp_post((void *)(act_), (QEvt const *)(e_))
#define QACTIVE_PUBLISH(e_, sender_) elw_qp_post((void *)0, (QEvt const *)(e_))
#define QF_PUBLISH(e_, sender_) elw_qp_post((void *)0, (QEvt const *)(e_))
#define QTimeEvt_armX(te_, ticks_, interval_) elw_qp_arm((te_), (long)(ticks_), (long)(interval_))
#define QTimeEvt_postIn(te_, act_, ticks_) elw_qp_arm((te_), (long)(ticks_), 0)
#define QTimeEvt_postEvery(te_, act_, ticks_) elw_qp_arm((te_), (long)(ticks_), (long)(ticks_))
#define QTimeEvt_rearm(te_, ticks_) (elw_qp_disarm(te_), elw_qp_arm((te_), (long)(ticks_), 0), 1)
#define QTimeEvt_disarm(te_) elw_qp_disarm(te_)
static void elw_qp_post(void *act, QEvt const *e);
static void elw_qp_arm(QTimeEvt *te, long ticks, long interval);
static int elw_qp_disarm(QTimeEvt *te);
static void *elw_qp_new(size_t size, QSignal sig);"#;

/// What comes before the model's own declarations.
pub fn prelude(model: &Model, plans: &[Plan<'_>], out: &mut Text) {
    out.line(PRELUDE);
    let declared: String = model
        .declarations
        .iter()
        .map(|declaration| declaration.code.text.as_str())
        .collect::<Vec<_>>()
        .join("\n");
    let declared = words(&declared);
    let signals: Vec<String> = signals(model, plans)
        .into_iter()
        .filter(|signal| !declared.contains(signal.as_str()))
        .collect();
    if !signals.is_empty() {
        out.open("enum {");
        out.line("elw_before_signals = Q_USER_SIG + 999,");
        for signal in signals {
            out.line(&format!("{signal},"));
        }
        out.close("};");
    }
    for plan in plans {
        let name = &plan.name;
        let instance = format!("{name}_inst");
        out.line(&format!("typedef struct {name} {name};"));
        if !declared.contains(instance.as_str()) {
            out.line(&format!("extern {name} {instance};"));
        }
    }
}

/// All names that end as those of signals do.
pub fn signals(model: &Model, plans: &[Plan<'_>]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for plan in plans {
        for event in &plan.capsule.events {
            found.insert(format!("{}_SIG", event.name));
        }
        for code in codes(plan) {
            let used = words(&code.text).into_iter();
            found.extend(
                used.filter(|word| word.ends_with("_SIG"))
                    .map(str::to_owned),
            );
        }
    }
    for declaration in &model.declarations {
        if declaration.kind == DeclarationKind::Function {
            let used = words(&declaration.code.text).into_iter();
            found.extend(
                used.filter(|word| word.ends_with("_SIG"))
                    .map(str::to_owned),
            );
        }
    }
    found.remove("Q_USER_SIG");
    found
}

/// All code of a capsule.
fn codes<'a>(plan: &Plan<'a>) -> Vec<&'a Code> {
    let mut codes = Vec::new();
    let mut add = |statements: &'a [Statement]| {
        for statement in statements {
            if let Statement::Code(code) = statement {
                codes.push(code);
            }
        }
    };
    for vertex in &plan.machine.vertices {
        add(&vertex.entry);
        add(&vertex.exit);
        add(&vertex.activity);
    }
    for transition in &plan.machine.transitions {
        add(&transition.action);
    }
    for transition in &plan.machine.transitions {
        if let Some(Guard::When(code)) = &transition.guard {
            codes.push(code);
        }
    }
    codes.extend(
        plan.capsule
            .operations
            .iter()
            .filter_map(|one| one.body.as_ref()),
    );
    codes
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_')
        .filter(|word| !word.is_empty())
        .collect()
}

/// Operations are functions whose first parameter is the object.
pub fn operations(plan: &Plan<'_>, out: &mut Text) {
    for operation in &plan.capsule.operations {
        out.line(&format!("{};", head(plan, operation)));
    }
    for operation in &plan.capsule.operations {
        let Some(body) = &operation.body else {
            continue;
        };
        out.line(&head(plan, operation));
        out.open("{");
        out.code(body, &format!("{}::{}", plan.capsule.name, operation.name));
        out.close("}");
        out.blank();
    }
}

fn head(plan: &Plan<'_>, operation: &Operation) -> String {
    let one = |parameter: &Parameter| match &parameter.array {
        Some(size) => format!("{} {}[{size}]", parameter.of, parameter.name),
        None => format!("{} {}", parameter.of, parameter.name),
    };
    let mut parameters: Vec<String> = operation.parameters.iter().map(one).collect();
    if !operation.shared {
        parameters.insert(0, format!("{} * const me", plan.name));
    }
    if parameters.is_empty() {
        parameters.push("void".into());
    }
    let static_ = if operation.body.is_some() {
        "static "
    } else {
        ""
    };
    format!(
        "{static_}{} {}_{}({})",
        operation.returns,
        plan.name,
        operation.name,
        parameters.join(", ")
    )
}

/// Time events know what they give.
pub fn begin(functions: &mut Functions<'_>) {
    let plan = functions.plan;
    for attribute in &plan.capsule.attributes {
        if let Some(initial) = attribute
            .initial
            .as_ref()
            .filter(|_| attribute.array.is_none())
        {
            let text = format!("me->{} = {initial};", attribute.name);
            functions
                .text
                .line_at(&text, attribute.place, &plan.capsule.name);
        }
    }
    for timer in &plan.capsule.timers {
        if let Some(event) = timer.event {
            let signal = &plan.capsule.event(event).name;
            let text = format!("QTimeEvt_ctorX(&me->{}, me, {signal}_SIG, 0);", timer.name);
            functions.text.line(&text);
        }
    }
}

/// Posting and time, once all parts are known: `(capsule, part)` as C calls them.
pub fn runtime(model: &Model, plans: &[Plan<'_>], parts: &[(usize, String)], out: &mut Text) {
    out.line("static void *elw_qp_new(size_t size, QSignal sig)");
    out.open("{");
    out.line("QEvt *e = (QEvt *)calloc(1, size);");
    out.line("if (!e)");
    out.line("    abort();");
    out.line("e->sig = sig;");
    out.line("return e;");
    out.close("}");
    out.blank();
    for plan in plans {
        let name = &plan.name;
        out.line(&format!(
            "static int {name}_from(QEvt const *e, {name}_Message *m)"
        ));
        out.open("{");
        out.open("switch (e->sig) {");
        for event in plan.event_ids() {
            let about = plan.capsule.event(event);
            out.line(&format!("case {}_SIG:", about.name));
            out.deeper();
            out.line(&format!("m->signal = {};", plan.signal(event)));
            let size = match &about.payload {
                Some(payload) => format!("sizeof({payload})"),
                None => "sizeof(QEvt)".into(),
            };
            out.line(&format!("memcpy(&m->with, e, {size});"));
            out.line("m->asked = 1;");
            out.line("return 1;");
            out.back();
        }
        out.close("}");
        out.line("return 0;");
        out.close("}");
        out.blank();
    }
    out.line("static void elw_qp_sent(QSignal sig)");
    out.open("{");
    out.open("switch (sig) {");
    for signal in signals(model, plans) {
        let label = signal.trim_end_matches("_SIG");
        out.line(&format!("case {signal}:"));
        out.deeper();
        out.line(&format!("elw_note(0, {}, 0);", quoted(label)));
        super::properties::sent_signal(model, label, out);
        out.line("break;");
        out.back();
    }
    out.close("}");
    out.close("}");
    out.blank();
    out.line("static void elw_qp_post(void *act, QEvt const *e)");
    out.open("{");
    out.line("elw_qp_sent(e->sig);");
    for (capsule, part) in parts {
        let name = &plans[*capsule].name;
        out.open(&format!("if (!act || act == (void *)&{part}) {{"));
        out.line(&format!("{name}_Message m = {{0}};"));
        out.line(&format!("if ({name}_from(e, &m))"));
        out.line(&format!("    {name}_post(&{part}, &m);"));
        out.close("}");
    }
    out.close("}");
    out.blank();
    out.line("static void elw_qp_arm(QTimeEvt *te, long ticks, long interval)");
    out.open("{");
    out.line("te->interval = interval;");
    for (capsule, part) in parts {
        let name = &plans[*capsule].name;
        out.open(&format!("if (!te->act || te->act == (void *)&{part}) {{"));
        out.line(&format!("{name}_Message m = {{0}};"));
        out.line(&format!("if ({name}_from(&te->super, &m))"));
        out.line(&format!(
            "    {name}_arm(&{part}, &m, ticks, (const char *)te);"
        ));
        out.close("}");
    }
    out.close("}");
    out.blank();
    out.line("static int elw_qp_disarm(QTimeEvt *te)");
    out.open("{");
    for (capsule, part) in parts {
        let name = &plans[*capsule].name;
        out.line(&format!("{name}_disarm(&{part}, (const char *)te);"));
    }
    out.line("te->interval = 0;");
    out.line("return 1;");
    out.close("}");
    out.blank();
}
