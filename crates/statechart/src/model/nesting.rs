//! Which vertex stands inside of which, answered at once whatever the depth.

use super::{Machine, VertexId};

/// Numbers in the order of a walk through a machine, for as long as its vertices stay as they are.
#[derive(Clone, Debug)]
pub struct Nesting {
    /// For each vertex, its number in the walk and the first number behind all that is in it.
    spans: Vec<(u32, u32)>,
    depths: Vec<u32>,
}

impl Nesting {
    pub fn new(machine: &Machine) -> Self {
        let count = machine.vertices.len();
        let mut nesting = Self {
            spans: vec![(u32::MAX, 0); count],
            depths: vec![0; count],
        };
        let mut number = 0;
        // With true once all that is inside has been seen.
        let mut left = vec![(VertexId::TOP, false)];
        while let Some((id, seen)) = left.pop() {
            let Some(span) = nesting.spans.get_mut(id.index()) else {
                continue;
            };
            if seen {
                span.1 = number;
                continue;
            }
            if span.0 != u32::MAX {
                continue;
            }
            span.0 = number;
            number += 1;
            left.push((id, true));
            let depth = nesting.depths[id.index()] + 1;
            for child in machine.vertex(id).children.iter().rev() {
                if let Some(its) = nesting.depths.get_mut(child.index()) {
                    *its = depth;
                }
                left.push((*child, false));
            }
        }
        nesting
    }

    /// Whether a vertex is another one or stands inside of it.
    pub fn within(&self, inner: VertexId, outer: VertexId) -> bool {
        let (at, _) = self.spans[inner.index()];
        let (first, end) = self.spans[outer.index()];
        at != u32::MAX && (first..end).contains(&at)
    }

    /// How many vertices a vertex stands in.
    pub fn depth(&self, id: VertexId) -> usize {
        self.depths[id.index()] as usize
    }

    /// Whether a walk from the top comes to a vertex.
    pub fn contains(&self, id: VertexId) -> bool {
        self.spans[id.index()].0 != u32::MAX
    }
}
