//! A model as a `.qm` file, for those that came from no file. It has what random models have: states,
//! initial and other transitions, choices, histories, and code.

use elsewise_statechart::model::{
    Capsule, DeclarationKind, Guard, Model, Statement, Transition, TransitionId, VertexId,
    VertexKind,
};

/// The text of a `.qm` file that is read as the same model again.
pub fn write_qm(model: &Model) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model version=\"7.0.3\" links=\"1\">\n <framework name=\"qpc\"/>\n <package name=\"Events\" stereotype=\"0x01\">\n",
    );
    let types = model.declarations.iter();
    for declaration in types.filter(|it| it.kind == DeclarationKind::Type) {
        let lines = declaration.code.text.lines();
        let members = lines.filter_map(|line| line.strip_prefix("    ")?.strip_suffix(';'));
        let mut base = "";
        let mut inner = String::new();
        for (of, name) in members.filter_map(|member| member.rsplit_once(' ')) {
            match name {
                "super" => base = of,
                _ => inner.push_str(&format!(
                    "   <attribute name=\"{name}\" type=\"{of}\" visibility=\"0x00\" properties=\"0x00\"/>\n"
                )),
            }
        }
        text.push_str(&format!(
            "  <class name=\"{}\" superclass=\"qpc::{base}\">\n{inner}  </class>\n",
            declaration.name
        ));
    }
    text.push_str(" </package>\n <package name=\"Objects\" stereotype=\"0x02\">\n");
    for capsule in &model.capsules {
        write_capsule(capsule, &mut text);
    }
    text.push_str(" </package>\n</model>\n");
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn code(statements: &[Statement]) -> String {
    let pieces = statements.iter().filter_map(|statement| match statement {
        Statement::Code(code) => Some(escaped(&code.text)),
        _ => None,
    });
    pieces.collect::<Vec<_>>().join("\n")
}

fn write_capsule(capsule: &Capsule, text: &mut String) {
    text.push_str(&format!(
        "  <class name=\"{}\" superclass=\"qpc::QActive\">\n",
        capsule.name
    ));
    for attribute in &capsule.attributes {
        text.push_str(&format!(
            "   <attribute name=\"{}\" type=\"{}\" visibility=\"0x02\" properties=\"0x00\"/>\n",
            attribute.name, attribute.of
        ));
    }
    if let Some(machine) = &capsule.machine {
        let mut writer = Writer {
            capsule,
            machine,
            ways: vec![Vec::new(); machine.vertices.len()],
            text,
        };
        writer.number();
        writer.chart();
    }
    text.push_str("  </class>\n");
}

struct Writer<'w> {
    capsule: &'w Capsule,
    machine: &'w elsewise_statechart::model::Machine,
    /// For each state, the numbers on the way to it.
    ways: Vec<Vec<usize>>,
    text: &'w mut String,
}

enum Next {
    Open(VertexId),
    Close,
}

impl Writer<'_> {
    /// Parts of a state that QM counts: the initial transition, others, histories and states, in the
    /// order in which they are written.
    fn number(&mut self) {
        let mut left = vec![VertexId::TOP];
        while let Some(id) = left.pop() {
            let vertex = self.machine.vertex(id);
            let first = usize::from(vertex.initial.is_some()) + vertex.outgoing.len();
            for (number, child) in self.inside(id).into_iter().enumerate() {
                let mut way = self.ways[id.index()].clone();
                way.push(first + number);
                self.ways[child.index()] = way;
                left.push(child);
            }
        }
    }

    /// Histories and states of a state, in the order in which they are written.
    fn inside(&self, id: VertexId) -> Vec<VertexId> {
        let children = self.machine.vertex(id).children.iter().copied();
        let (histories, others): (Vec<VertexId>, Vec<VertexId>) =
            children.partition(|it| self.is_history(*it));
        let states = others
            .into_iter()
            .filter(|it| self.machine.vertex(*it).kind == VertexKind::State);
        histories.into_iter().chain(states).collect()
    }

    fn is_history(&self, id: VertexId) -> bool {
        let kind = self.machine.vertex(id).kind;
        matches!(kind, VertexKind::ShallowHistory | VertexKind::DeepHistory)
    }

    /// The target of an element that is so deep inside of a state, as its attributes.
    fn target(&self, from: VertexId, depth: usize, to: VertexId) -> String {
        let state = match self.is_history(to) {
            true => self.machine.vertex(to).parent.unwrap_or(VertexId::TOP),
            false => to,
        };
        let mut text = format!(" target=\"{}\"", self.reference(from, depth, state));
        if state != to {
            let point = self.reference(from, depth, to);
            text.push_str(&format!(" cpref=\"{point}\""));
        }
        text
    }

    /// How an element that is so deep inside of a state refers to another state.
    fn reference(&self, from: VertexId, depth: usize, to: VertexId) -> String {
        let (from, to) = (&self.ways[from.index()], &self.ways[to.index()]);
        let common = from.iter().zip(to).take_while(|(one, other)| one == other);
        let common = common.count();
        let up = std::iter::repeat_n("..".to_owned(), from.len() - common + depth);
        let down = to[common..].iter().map(usize::to_string);
        up.chain(down).collect::<Vec<_>>().join("/")
    }

    fn chart(&mut self) {
        self.text.push_str("   <statechart properties=\"0x02\">\n");
        let machine = self.machine;
        let mut left = vec![Next::Open(VertexId::TOP)];
        while let Some(next) = left.pop() {
            let Next::Open(id) = next else {
                self.text.push_str("</state>\n");
                continue;
            };
            let vertex = machine.vertex(id);
            if self.is_history(id) {
                self.history(id);
                continue;
            }
            if id != VertexId::TOP {
                self.text
                    .push_str(&format!("<state name=\"{}\">\n", escaped(&vertex.name)));
                for (tag, statements) in [("entry", &vertex.entry), ("exit", &vertex.exit)] {
                    if !statements.is_empty() {
                        let code = code(statements);
                        self.text.push_str(&format!("<{tag}>{code}</{tag}>\n"));
                    }
                }
                left.push(Next::Close);
            }
            if let Some(initial) = vertex.initial {
                self.initial(id, machine.transition(initial));
            }
            for transition in &vertex.outgoing {
                self.transition(id, *transition);
            }
            for child in self.inside(id).into_iter().rev() {
                left.push(Next::Open(child));
            }
        }
        self.text.push_str("   </statechart>\n");
    }

    fn history(&mut self, id: VertexId) {
        let vertex = self.machine.vertex(id);
        let kind = match vertex.kind {
            VertexKind::DeepHistory => "deep",
            _ => "shallow",
        };
        let default = vertex.outgoing.first();
        let target = default
            .and_then(|default| self.machine.transition(*default).target)
            .map(|target| {
                // From the history itself, which is one part of its state.
                self.reference(vertex.parent.unwrap_or(VertexId::TOP), 1, target)
            });
        self.text.push_str(&format!(
            "<history type=\"{kind}\" target=\"{}\"/>\n",
            target.unwrap_or_default()
        ));
    }

    fn initial(&mut self, id: VertexId, transition: &Transition) {
        let target = transition
            .target
            .map(|target| self.reference(id, 1, target))
            .unwrap_or_default();
        self.text
            .push_str(&format!("<initial target=\"{target}\">\n"));
        let mut action = code(&transition.action);
        if id == VertexId::TOP {
            // QM has no initial values of attributes.
            for attribute in &self.capsule.attributes {
                if let Some(value) = &attribute.initial {
                    action = format!("me-&gt;{} = {value};\n{action}", attribute.name);
                }
            }
        }
        self.text
            .push_str(&format!("<action>{action}</action>\n</initial>\n"));
    }

    fn transition(&mut self, id: VertexId, transition: TransitionId) {
        let machine = self.machine;
        let transition = machine.transition(transition);
        let triggers: Vec<&str> = transition
            .triggers
            .iter()
            .map(|it| self.capsule.event(*it).name.as_str())
            .collect();
        let choice = transition
            .target
            .map(|target| machine.vertex(target))
            .filter(|target| target.kind == VertexKind::Choice);
        let target = match (transition.target, choice) {
            (Some(target), None) => self.target(id, 1, target),
            _ => String::new(),
        };
        self.text.push_str(&format!(
            "<tran trig=\"{}\"{target}>\n",
            triggers.join(", ")
        ));
        self.action(&transition.action);
        let ways = choice.map(|choice| choice.outgoing.as_slice());
        for way in ways.unwrap_or_default() {
            let way = machine.transition(*way);
            let target = way.target;
            let target = target.map_or(String::new(), |target| self.target(id, 2, target));
            let guard = match &way.guard {
                Some(Guard::When(code)) => escaped(&code.text),
                _ => "else".to_owned(),
            };
            self.text
                .push_str(&format!("<choice{target}>\n<guard>{guard}</guard>\n"));
            self.action(&way.action);
            self.text.push_str("</choice>\n");
        }
        self.text.push_str("</tran>\n");
    }

    fn action(&mut self, statements: &[Statement]) {
        if !statements.is_empty() {
            let code = code(statements);
            self.text.push_str(&format!("<action>{code}</action>\n"));
        }
    }
}
