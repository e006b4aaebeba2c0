//! A case of a function, and what it left behind, as values that its programmer knows.

use super::images::{Images, Name, from_case};
use super::plan::{Plan, Root, RootKind, Stub};
use super::reader::Reader;
use super::sequence::input;
use crate::types::Types;
use elsewise_explore::Case;
use elsewise_graph::{Call, Field, Graph, Value};

/// What the harness wrote down after the call.
#[derive(Clone, Debug)]
pub struct Observed {
    images: Images,
    /// The last call has returned.
    pub ended: bool,
}

impl Observed {
    /// Reads what `elsewise_graph_end` wrote; none if it is not whole.
    pub fn read(plan: &Plan, mut bytes: &[u8]) -> Option<Observed> {
        let mut images = Images {
            wide: true,
            ..Images::default()
        };
        let mut ended = false;
        while !bytes.is_empty() {
            let end = bytes.iter().position(|byte| *byte == b'\n')?;
            let head = std::str::from_utf8(&bytes[..end]).ok()?;
            bytes = &bytes[end + 1..];
            let (kind, rest) = head.split_once(' ')?;
            let (number, rest) = rest.split_once(' ')?;
            let number: u64 = number.parse().ok()?;
            let size;
            match kind {
                "root" | "result" => {
                    size = usize::try_from(number).ok()?;
                    let image = bytes.get(..size)?.to_vec();
                    images.roots.insert(rest.to_string(), image);
                }
                "object" | "freed" => {
                    let (count, name) = rest.split_once(' ')?;
                    let pool = plan.pools.iter().position(|pool| pool.name == name)?;
                    let one = (plan.pools[pool].size + plan.pools[pool].extra) as usize;
                    size = one.checked_mul(count.parse().ok()?)?;
                    let image = bytes.get(..size)?.to_vec();
                    images.objects.push(((pool, number), image));
                    if kind == "freed" {
                        images.freed.push((pool, number));
                    }
                }
                "step" => {
                    size = usize::try_from(number).ok()?;
                    let image = bytes.get(..size)?.to_vec();
                    images.steps.insert(rest.parse().ok()?, image);
                }
                "end" => {
                    size = 0;
                    ended = true;
                }
                _ => return None,
            }
            bytes = bytes.get(size..)?;
        }
        Some(Observed { images, ended })
    }
}

/// The values that a case gives to a function, or to the calls of a sequence.
pub struct CaseValues {
    /// More than one for a sequence.
    pub calls: Vec<Call>,
    /// Its roots are globals.
    pub graph: Graph,
    /// What stubs return.
    pub stubs: Vec<Field>,
    names: Vec<Name>,
}

impl CaseValues {
    pub fn new(plan: &Plan, types: &Types, case: &Case) -> CaseValues {
        let images = from_case(plan, case);
        let names: Vec<Name> = images.objects.iter().map(|(name, _)| *name).collect();
        let reader = Reader::new(plan, types, &images, &names);
        let (arguments, roots) = plan
            .roots
            .iter()
            .filter(|root| matches!(root.kind, RootKind::Parameter | RootKind::Global))
            .partition::<Vec<&Root>, _>(|root| root.kind == RootKind::Parameter);
        let graph = Graph {
            roots: roots.into_iter().map(|root| reader.root(root)).collect(),
            objects: reader.objects(),
        };
        let calls = match &plan.sequence {
            Some(sequence) => reader.calls(sequence, case),
            None => vec![Call {
                function: plan.function.name.clone(),
                arguments: arguments
                    .into_iter()
                    .map(|root| reader.root(root))
                    .collect(),
                result: None,
                returns: plan.result.as_ref().map(|root| reader.spell(root.ty)),
            }],
        };
        let stubs = plan.roots.iter().enumerate();
        let stubs = stubs.filter(|(_, root)| root.kind == RootKind::Stub);
        let stubs = stubs.flat_map(|(index, root)| {
            let used = |stub: &Stub| stub.used && stub.root == Some(index);
            reader.returned(root, input(case, &root.name), plan.stubs.iter().any(used))
        });
        CaseValues {
            calls,
            graph,
            stubs: stubs.collect(),
            names,
        }
    }

    /// The graph with the arguments as roots too: what a picture shows.
    pub fn whole(&self) -> Graph {
        let mut graph = self.graph.clone();
        let pointers = |value: &Value| matches!(value, Value::Pointer { .. });
        let arguments = match &self.calls[..] {
            [call] => call.arguments.clone(),
            // Which call they belong to is said where the calls are.
            calls => {
                let mut arguments: Vec<Field> = Vec::new();
                for field in calls.iter().flat_map(|call| &call.arguments) {
                    if pointers(&field.value) && !arguments.contains(field) {
                        arguments.push(field.clone());
                    }
                }
                arguments
            }
        };
        graph.roots.splice(0..0, arguments);
        graph.roots.extend(self.stubs.iter().cloned());
        graph
    }

    /// Memory after the calls, its objects in the same places, and the calls with what they
    /// returned, up to the first that did not.
    pub fn after(&self, plan: &Plan, types: &Types, observed: &Observed) -> (Graph, Vec<Call>) {
        let reader = Reader::new(plan, types, &observed.images, &self.names);
        let globals = plan
            .roots
            .iter()
            .filter(|root| root.kind == RootKind::Global);
        let graph = Graph {
            roots: globals.map(|root| reader.root(root)).collect(),
            objects: reader.objects(),
        };
        let mut calls = self.calls.clone();
        match &plan.sequence {
            None => calls[0].result = plan.result.as_ref().map(|root| reader.root(root)),
            Some(sequence) => {
                reader.results(sequence, &mut calls);
                if !observed.ended {
                    calls.truncate(observed.images.steps.len() + 1);
                }
            }
        }
        (graph, calls)
    }
}

/// Do stubs return nothing but zeros in this case?
pub fn stubs_return_zero(plan: &Plan, case: &Case) -> bool {
    let mut stubs = plan.roots.iter().filter(|root| root.kind == RootKind::Stub);
    stubs.all(|root| input(case, &root.name).iter().all(|byte| *byte == 0))
}
