//! What a finding of a function, or of a sequence of calls, is shown with.

use crate::behaviours::Function;
use elsewise_campaign::Finding;
use elsewise_explore::Case;
use elsewise_graph::{Behaviour, Graph};
use elsewise_report::{CallsPicture, GraphPicture, Picture};

/// Nothing for the finding of a program.
pub struct Shown {
    graph: Option<Graph>,
    /// For a sequence.
    calls: Option<Behaviour>,
    title: String,
}

impl Shown {
    pub fn new(function: Option<&Function>, finding: &Finding, case: Option<&Case>) -> Shown {
        let both = function.zip(case);
        Shown {
            graph: both.map(|(function, case)| function.graph(case)),
            calls: both
                .filter(|(function, _)| function.is_sequence())
                .map(|(function, case)| function.failing(case, finding)),
            title: format!("{}, finding {}", finding.function, finding.id),
        }
    }

    pub fn picture(&self) -> Option<Box<dyn Picture + '_>> {
        let graph = self.graph.as_ref()?;
        Some(match &self.calls {
            Some(behaviour) => Box::new(CallsPicture { behaviour, graph }),
            None => Box::new(GraphPicture {
                graph,
                title: &self.title,
            }),
        })
    }
}
