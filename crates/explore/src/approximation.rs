//! What makes a search incomplete: one table of the kinds, their words and what these mean.

use crate::SiteId;

/// Something that makes the search incomplete, counted by kind and place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Approximation {
    pub kind: ApproximationKind,
    pub site: Option<SiteId>,
}

impl Approximation {
    /// One that is not at any place of the subject.
    pub fn nowhere(kind: ApproximationKind) -> Approximation {
        Approximation { kind, site: None }
    }
}

macro_rules! kinds {
    ($($name:ident $word:literal $meaning:literal)*) => {
        /// Kinds of approximations. Campaigns and JSON have their words, which do not change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ApproximationKind {
            $(#[doc = $meaning] $name,)*
        }

        impl ApproximationKind {
            pub const ALL: &[ApproximationKind] = &[$(ApproximationKind::$name,)*];

            /// The short fixed word.
            pub fn word(self) -> &'static str {
                match self {
                    $(ApproximationKind::$name => $word,)*
                }
            }

            /// What the word means to the person who reads it.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(ApproximationKind::$name => $meaning,)*
                }
            }
        }
    };
}

kinds! {
    OpaqueAddress "opaque-address" "an address depended on input data and was taken as it was"
    AddressOrder "address-order" "a choice depended on where objects lie, not only on which are the same"
    OpaqueSize "opaque-size" "a size depended on input data and was taken as it was"
    OpaqueOperation "opaque-operation" "an operation on input data is not followed yet"
    OpaqueCallee "opaque-callee" "a called function depended on input data"
    OpaqueCall "opaque-call" "a call into code that is not instrumented was given input data, or could reach some"
    UnfollowedInput "unfollowed-input" "input reached, or may have reached, code that does not track it"
    UnwatchedInput "unwatched-input" "whether input was taken past what follows it cannot be seen here"
    TooManyInputs "too-many-inputs" "more inputs were asked for than are followed"
    WideValue "wide-value" "a value of more than 64 bits was taken as it was"
    UnknownValue "unknown-value" "what decided was given by code that is not followed"
    OutsideObject "outside-object" "memory outside of an input object was read, which is no input"
    LeftOut "left-out" "a function has inputs that are never given: some callbacks, numbers in unions"
    OpenKeys "open-keys" "a map could have had other keys than those that were tried"
    OutsideOfSpec "outside-of-spec" "arguments were made that the specification does not allow"
    Forked "forked" "a run forked: what its children choose is not followed"
    ForkRefused "fork-refused" "a run with several threads asked for a new process: that fails, as it may (EAGAIN)"
    Refused "refused" "a file, a socket or memory was refused that a run might get without containment or with more --memory"
    Timer "timer" "a timer was set: at what time its signal comes is not explored"
    AsynchronousCancellation "asynchronous-cancellation" "a thread may be cancelled at any point: only cancellation points were tried"
    RunLimit "run-limit" "a run was ended at its limit of time or moves (--timeout, --moves)"
    Overrun "overrun" "a run was ended that wrote too much (--disk) or started too many processes"
    LeftProcesses "left-processes" "a run left processes behind, which were ended"
    LeftState "left-state" "a run changed something in the Prolog machine that cannot be undone: a new flag, for example"
    TraceCut "trace-cut" "a run was too long to be recorded to its end"
    LateCode "late-code" "a run loaded a library of its own and was followed only up to there"
    LabelMismatch "label-mismatch" "what was recorded did not agree with what the run did"
    DamagedTrace "damaged-trace" "what a run wrote made no sense, and was left out"
    LostRun "lost-run" "a run could not be repeated"
    Divergence "divergence" "a run did not go the way it was predicted to"
    Nondeterminism "nondeterminism" "the same case did not make the same choices again"
    UnlikeAgain "unlike-again" "a run was not the same once more: more than inputs and schedule decide"
    UnlikeAlone "unlike-alone" "a run was not the same in a process of its own, which all have since"
    Unconfirmed "unconfirmed" "a failure was not seen to happen in the same way once more"
    UnwatchedThreads "unwatched-threads" "the sanitizers do not watch runs with several threads"
    UnexplainedCalls "unexplained-calls" "operations had too many orders to look at"
    QueryLimit "query-limit" "a query took too long (--query-timeout)"
    QuerySize "query-size" "a query was too large"
    QueryUnsupported "query-unsupported" "no solver decides an operator that a query has"
    ValueLimit "value-limit" "a value had more alternatives than were tried (--max-values)"
    OtherShard "other-shard" "another shard of the campaign explores it (--shard); --merge puts them together"
    DepthLimit "depth-limit" "choices deeper than the bound were left alone (--depth)"
}

impl ApproximationKind {
    /// The kind with this word: none where another version wrote it.
    pub fn of_word(word: &str) -> Option<ApproximationKind> {
        let mut all = ApproximationKind::ALL.iter();
        all.find(|kind| kind.word() == word).copied()
    }

    /// Does the trace end before the run did?
    pub fn cuts_trace(self) -> bool {
        use ApproximationKind::{LabelMismatch, LateCode, Overrun, TraceCut};
        matches!(self, TraceCut | LateCode | LabelMismatch | Overrun)
    }

    /// Was a value that depends on input taken as it was?
    pub fn makes_concrete(self) -> bool {
        use ApproximationKind::{
            OpaqueAddress, OpaqueCall, OpaqueCallee, OpaqueOperation, OpaqueSize, TooManyInputs,
            UnfollowedInput, WideValue,
        };
        matches!(
            self,
            OpaqueAddress
                | OpaqueCall
                | OpaqueCallee
                | OpaqueOperation
                | OpaqueSize
                | TooManyInputs
                | UnfollowedInput
                | WideValue
        )
    }
}

#[cfg(test)]
mod tests {
    use super::ApproximationKind;

    #[test]
    fn words_are_different_and_found() {
        for kind in ApproximationKind::ALL {
            assert_eq!(ApproximationKind::of_word(kind.word()), Some(*kind));
            assert!(!kind.meaning().is_empty());
        }
        assert_eq!(ApproximationKind::of_word("of another version"), None);
    }
}
