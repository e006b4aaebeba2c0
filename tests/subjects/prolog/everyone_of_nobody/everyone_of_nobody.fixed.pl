% The repaired twin: it must be somebody.
:- use_module(library(lists)).

%! outcome(+Votes:list(oneof([yes, no, away])), -Outcome) is det.
outcome([], nothing) :- !.
outcome(Votes, Outcome) :-
    findall(Vote, ( member(Vote, Votes), Vote \== away ), Present),
    (   Present \== [],
        forall(member(Vote, Present), Vote == yes)
    ->  length(Present, N),
        Share is 100 // N,
        Outcome = unanimous(Share)
    ;   Outcome = divided
    ).
