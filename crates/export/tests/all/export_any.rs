//! Whatever a graph holds, exporting it ends with files: a behaviour is made from what a subject
//! left in memory.

use elsewise_export::c::{Framework, Suite, export};
use elsewise_graph::{Behaviour, Call, Ending, Field, Graph, Object, Step, Value};
use proptest::collection::vec;
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c]{0,2}", Just("int".to_owned()), "\\PC{0,4}"]
}

fn ty() -> impl Strategy<Value = String> {
    const KNOWN: [&str; 13] = [
        "int",
        "unsigned char",
        "char [4]",
        "const char *",
        "struct node",
        "struct node *",
        "const int",
        "_Bool",
        "double",
        "struct {...}",
        "int []",
        "int (*)(int)",
        "",
    ];
    prop_oneof![
        8 => proptest::sample::select(&KNOWN[..]).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ]
}

fn field(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Field> {
    (name(), ty(), value).prop_map(|(name, ty, value)| Field { name, ty, value })
}

fn value() -> impl Strategy<Value = Value> {
    let step = prop_oneof![
        name().prop_map(Step::Member),
        (0usize..4).prop_map(Step::Element)
    ];
    let leaf = prop_oneof![
        any::<i64>().prop_map(|n| Value::Integer(n.into())),
        any::<i128>().prop_map(Value::Integer),
        any::<f32>().prop_map(Value::Single),
        any::<f64>().prop_map(Value::Double),
        name().prop_map(Value::Named),
        vec(any::<u8>(), 0..4).prop_map(Value::Text),
        vec(any::<u8>(), 0..4).prop_map(Value::Bytes),
        Just(Value::Null),
        Just(Value::Elsewhere),
        (0usize..3).prop_map(Value::Result),
        // Some of them lead out of the graph.
        (0usize..6, vec(step, 0..3)).prop_map(|(object, path)| Value::Pointer { object, path }),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(field(inner.clone()), 0..4).prop_map(Value::Struct),
            field(inner.clone()).prop_map(|field| Value::Union(Box::new(field))),
            vec(inner, 0..4).prop_map(Value::Array),
        ]
    })
}

fn graph() -> impl Strategy<Value = Graph> {
    let object = (
        name(),
        ty(),
        proptest::option::of(0usize..4),
        value(),
        any::<bool>(),
    );
    let object = object.prop_map(|(name, ty, count, value, freed)| Object {
        name,
        ty,
        count,
        value,
        freed,
    });
    (vec(field(value()), 0..2), vec(object, 0..5))
        .prop_map(|(roots, objects)| Graph { roots, objects })
}

fn behaviour() -> impl Strategy<Value = Behaviour> {
    let call = (
        name(),
        vec(field(value()), 0..3),
        proptest::option::of(field(value())),
    );
    let call = call.prop_map(|(function, arguments, result)| Call {
        function,
        arguments,
        returns: result.as_ref().map(|field| field.ty.clone()),
        result,
    });
    let ending = prop_oneof![
        Just(Ending::Returned),
        any::<i32>().prop_map(Ending::Exited),
        name().prop_map(Ending::Failed),
    ];
    (
        graph(),
        vec(call, 0..4),
        proptest::option::of(graph()),
        ending,
        vec(name(), 0..3),
    )
        .prop_map(|(before, calls, after, ending, reached)| Behaviour {
            case: 1,
            before,
            calls,
            stubs: Vec::new(),
            after,
            ending,
            reached,
        })
}

proptest! {
    #[test]
    fn any_behaviour_becomes_files(behaviours in vec(behaviour(), 0..3)) {
        for framework in Framework::ALL {
            let suite = Suite {
                function: "f",
                includes: &[],
                prototype: None,
                sources: &[],
                flags: &[],
                failing_flags: &[],
                taken: &[],
                behaviours: &behaviours,
            };
            let files = export(&suite, framework);
            prop_assert!(files.len() >= 2);
        }
    }
}
