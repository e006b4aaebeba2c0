% Small arguments of the types that a mode says.
:- module(small, [plainest/2, small/3]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(random)).
:- use_module(expected).

%  Inputs of each subject.
most(1500).

plainest(mode(_, Args, _), Values) :-
    maplist([Arg, Value]>>once(value(Arg, [], Value)), Args, Values).

%  All combinations if they are few, else as many of them by chance. Hanging takes its time.
small(mode(_, Args, _), Expectation, Values) :-
    ( witness(Expectation, Witness) -> true ; Witness = [] ),
    maplist([Arg, All]>>findall(Value, value(Arg, Witness, Value), All), Args, Alls),
    foldl([All, N0, N]>>( length(All, L), N is N0 * L ), Alls, 1, Combinations),
    ( kind(Expectation, hang) -> Most = 150 ; most(Most) ),
    (   Combinations =< Most
    ->  maplist([Value, All]>>member(Value, All), Values, Alls)
    ;   set_random(seed(7)),
        between(1, Most, _),
        maplist([Value, All]>>random_member(Value, All), Values, Alls)
    ).

%  Of an output, a new variable.
value(out, _, _).
value(in(Type), Witness, Value) :- of(Type, Witness, Value).

of(integer, _, N) :- member(N, [0, 1, -1, 2, 3, -2, 7, 5, 13, 30, 34, 60, 64, 65, 71, 99, 100, 151, -51, -1000]).
of(nonneg, _, N) :- of(integer, [], N), N >= 0.
of(positive_integer, _, N) :- of(integer, [], N), N > 0.
of(between(Low, High), _, N) :-
    findall(Size-Any, ( between(Low, High, Any), Size is abs(Any) ), Pairs),
    keysort(Pairs, Sorted),
    member(_-N, Sorted).
of(atom, _, A) :- member(A, [a, b, none, [], '', tea, 'two words']).
of(boolean, _, B) :- member(B, [false, true]).
of(oneof(Values), _, Value) :- member(Value, Values).
of(pair, _, Key-Value) :- member(Key, [a, b, none]), member(Value, [1, none]).
of(list(Type), Witness, List) :- between(0, 4, Length), length(List, Length), elements(List, Type, Witness).
of(list, Witness, List) :- of(list(any), Witness, List).
of(any, Witness, Term) :- leaf(Term) ; level(leaf, Witness, Term) ; level(level(leaf, Witness), Witness, Term).

%  Few values in long lists, so that the combinations stay few.
elements(List, Type, Witness) :-
    length(List, Length),
    Most is max(2, 7 - Length),
    findall(Value, limit(Most, of(Type, Witness, Value)), Values),
    maplist([X]>>member(X, Values), List).

leaf(Term) :- member(Term, [a, 0, [], "text", 1.5, f(a)]).

%  Terms with a constructor of the witness.
level(Inner, Witness, Term) :-
    findall(Name/Arity, ( sub_term(Sub, Witness), compound(Sub), Sub \= [_|_], functor(Sub, Name, Arity) ), All),
    sort(All, Constructors),
    member(Name/Arity, Constructors),
    functor(Term, Name, Arity),
    Term =.. [_|Args],
    maplist(level_of(Inner), Args).

level_of(leaf, Term) :- leaf(Term).
level_of(level(Inner, Witness), Term) :- leaf(Term) ; level(Inner, Witness, Term).
