% Everyone is for it who is there, and nobody is there.
:- use_module(library(lists)).

%! outcome(+Votes:list(oneof([yes, no, away])), -Outcome) is det.
outcome([], nothing) :- !.
outcome(Votes, Outcome) :-
    findall(Vote, ( member(Vote, Votes), Vote \== away ), Present),
    (   forall(member(Vote, Present), Vote == yes)
    ->  length(Present, N),
        Share is 100 // N, % fails here
        Outcome = unanimous(Share)
    ;   Outcome = divided
    ).
