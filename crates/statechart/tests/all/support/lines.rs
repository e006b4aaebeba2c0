//! Small machines written down in a few lines.

use elsewise_statechart::model::*;

/// Builds a machine from lines: `state A in B`, `final F in B`, `initial A -> B`,
/// `A -> B on e [guard] / action`, with `choice`, `junction`, `history`, `deep`, `entry`, `exit` for other
/// vertices, `internal A on e / action`, `local A -> B on e`, and `defer A e`. Entries, exits and
/// initial transitions of states call functions that are named after them.
pub fn machine(format: Format, lines: &str) -> Model {
    let mut machine = Machine::new("M", SourcePosition::default());
    let mut events: Vec<Event> = Vec::new();
    let find = |machine: &Machine, name: &str| {
        let found = machine.vertices.iter().position(|it| it.name == name);
        VertexId::of(found.unwrap_or_else(|| panic!("no vertex {name}")))
    };
    for line in lines.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let kind = match words[0] {
            "state" => Some(VertexKind::State),
            "final" => Some(VertexKind::Final),
            "choice" => Some(VertexKind::Choice),
            "junction" => Some(VertexKind::Junction),
            "history" => Some(VertexKind::ShallowHistory),
            "deep" => Some(VertexKind::DeepHistory),
            "entry" => Some(VertexKind::EntryPoint),
            "exit" => Some(VertexKind::ExitPoint),
            _ => None,
        };
        if let Some(kind) = kind {
            let parent = words.get(3).map_or("M", |it| it);
            let parent = find(&machine, parent);
            let mut vertex = Vertex::new(kind, words[1], Some(parent), SourcePosition::default());
            if matches!(kind, VertexKind::State | VertexKind::Final) {
                vertex.entry = code(&format!("{}_ENTRY();", words[1]));
                vertex.exit = code(&format!("{}_EXIT();", words[1]));
            }
            machine.add_vertex(vertex);
            continue;
        }
        if words[0] == "defer" {
            let state = find(&machine, words[1]);
            let event = event(&mut events, words[2]);
            machine.vertices[state.index()].deferred.push(event);
            continue;
        }
        let (line, action) = line.split_once('/').unwrap_or((line, ""));
        let (line, guard) = match line.split_once('[') {
            Some((line, guard)) => (line, guard.trim().strip_suffix(']').map(str::trim)),
            None => (line, None),
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        let (kind, words) = match words[0] {
            "initial" => (Some(TransitionKind::Initial), &words[1..]),
            "internal" => (Some(TransitionKind::Internal), &words[1..]),
            "local" => (Some(TransitionKind::Local), &words[1..]),
            _ => (None, &words[..]),
        };
        let source = find(&machine, words[0]);
        let at = |word: &str| words.iter().position(|it| *it == word);
        let target = at("->").map(|at| find(&machine, words[at + 1]));
        let triggers = at("on").map(|at| event(&mut events, words[at + 1]));
        // As QM's reader has it, where nothing else is said.
        let kind = kind.unwrap_or(match (format, target) {
            (_, None) => TransitionKind::Internal,
            (Format::Qm, Some(target)) if target != source => TransitionKind::Local,
            _ => TransitionKind::External,
        });
        let action = match (kind, action.trim()) {
            (TransitionKind::Initial, "") => format!("{}_INIT();", words[0]),
            (_, "") => String::new(),
            (_, action) => format!("{action};"),
        };
        let guard = guard.map(|guard| match guard {
            "else" => Guard::Else,
            guard => Guard::When(Code {
                text: guard.to_owned(),
                place: SourcePosition::default(),
            }),
        });
        machine.add_transition(Transition {
            id: String::new(),
            name: line.trim().to_owned(),
            place: SourcePosition::default(),
            kind,
            source,
            target,
            triggers: triggers.into_iter().collect(),
            guard,
            action: match action.is_empty() {
                true => Vec::new(),
                false => code(&action),
            },
        });
    }
    let capsule = Capsule {
        id: "M".into(),
        name: "M".into(),
        place: SourcePosition::default(),
        attributes: Vec::new(),
        operations: Vec::new(),
        ports: Vec::new(),
        events,
        sends: Vec::new(),
        timers: Vec::new(),
        machine: Some(machine),
    };
    Model {
        name: "M".into(),
        file: "M".into(),
        format,
        language: Language::C,
        semantics: match format {
            Format::Qm => Semantics::QM,
            Format::UmlRt => Semantics::UML_RT,
            Format::Scxml => Semantics::SCXML,
        },
        declarations: Vec::new(),
        files: Vec::new(),
        protocols: Vec::new(),
        capsules: vec![capsule],
        system: None,
        properties: Vec::new(),
    }
}

fn code(text: &str) -> Vec<Statement> {
    vec![Statement::Code(Code {
        text: text.to_owned(),
        place: SourcePosition::default(),
    })]
}

fn event(events: &mut Vec<Event>, name: &str) -> EventId {
    let known = events.iter().position(|it| it.name == name);
    EventId::of(known.unwrap_or_else(|| {
        events.push(Event {
            id: name.into(),
            name: name.into(),
            place: SourcePosition::default(),
            port: None,
            kind: EventKind::Message,
            parameters: Vec::new(),
            payload: None,
        });
        events.len() - 1
    }))
}
