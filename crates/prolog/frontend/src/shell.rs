//! SWI-Prolog as people use it: the program loaded as it is, not instrumented.

use crate::error::PredicateError;
use crate::record::PrologRecord;
use elsewise_explore::Case;
use elsewise_frontend::calls::SavedCalls;
use elsewise_frontend::{Never, Problem};
use elsewise_prolog::Query;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Becomes SWI-Prolog, with the query of a case shown and made.
pub fn become_shell(saved: &SavedCalls<PrologRecord>, case: &Case) -> Result<Never, Problem> {
    let query = saved.project()?.0.query(case);
    let error = Command::new("swipl")
        .args(["-q", "-g", &made(&query)])
        .arg(&saved.record.file)
        .exec();
    Err(PredicateError::NoShell(error).into())
}

/// A goal that shows a query, makes it, and shows what came of it, as the top level does.
fn made(query: &Query) -> String {
    let goal = &query.goal;
    let bindings = query.outputs.iter();
    let bindings: Vec<String> = bindings.map(|name| format!("'{name}'={name}")).collect();
    format!(
        "format('?- ~w.~n', [{}]), \
         ( catch_with_backtrace(({goal}), _E, \
         (print_message(error, unhandled_exception(_E)), _R = raised)) \
         -> ( _R == raised -> true ; forall(member(_N=_V, [{}]), format('~w = ~p~n', [_N, _V])), \
         writeln(true) ) \
         ; writeln(false) )",
        quoted(goal),
        bindings.join(", ")
    )
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_shown_as_they_are_made() {
        let query = Query {
            goal: "rules:route('it\\'s', A)".into(),
            outputs: vec!["A".into()],
        };
        let made = made(&query);
        assert!(
            made.contains("'rules:route(\\'it\\\\\\'s\\', A)'"),
            "{made}"
        );
        assert!(made.contains("(rules:route('it\\'s', A))"), "{made}");
        assert!(made.contains("['A'=A]"), "{made}");
    }
}
