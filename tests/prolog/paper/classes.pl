%   Which classes of calls a program has, found by trying every ground argument of a small
%   signature: independent of the engine, by a meta-interpreter over clause/2.
%
%       swipl classes.pl -- PROGRAM CASES
%
%   CASES holds `entry(Name/Arity, Depth, Constants, Functors, Integers).` and one `case(Args).` for
%   each run. The class of a call is, for every call in it up to the first solution, the set of
%   clauses that apply (the head unifies, and the constraints that the body begins with hold), and
%   whether it succeeds. Every class must have exactly one case.

:- use_module(library(clpfd)).
:- use_module(library(lists)).
:- dynamic seen/1, told/1, answer/2.
:- initialization(main, main).

main([Program, Cases]) :-
    set_prolog_flag(clpfd_goal_expansion, false),
    load_files(user:Program, [silent(true)]),
    read_file_to_terms(Cases, Terms, []),
    memberchk(entry(Name/Arity, Depth, Constants, Functors, Integers), Terms),
    findall(Class, ( member(case(Args), Terms), class(Name, Args, Class) ), Cased),
    length(Args0, Arity),
    retractall(answer(_, _)),
    forall(( maplist(ground_term(Depth, Constants, Functors, Integers), Args0) ),
           ( class(Name, Args0, Class),
             ( answer(Class, _) -> true ; assertz(answer(Class, Args0)) ) )),
    findall(C-A, answer(C, A), Wanted),
    msort(Cased, Sorted),
    sort(Cased, Once),
    length(Sorted, Runs), length(Once, Distinct), length(Wanted, All),
    findall(A, ( member(C-A, Wanted), \+ memberchk(C, Once) ), Missing),
    findall(C, ( member(C, Once), \+ memberchk(C-_, Wanted) ), Foreign),
    (   Missing == [], Foreign == [], Runs =:= Distinct
    ->  format("equal ~d~n", [All])
    ;   format("~d runs of ~d classes, there are ~d; without a case: ~q; not there: ~q~n",
               [Runs, Distinct, All, Missing, Foreign]),
        halt(1)
    ).

ground_term(_, Constants, _, _, Term) :- member(Term, Constants).
ground_term(_, _, _, Integers, Term) :- member(Term, Integers).
ground_term(Depth, Constants, Functors, Integers, Term) :-
    Depth > 0,
    Less is Depth - 1,
    member(Name/Arity, Functors),
    functor(Term, Name, Arity),
    Term =.. [_|Args],
    maplist(ground_term(Less, Constants, Functors, Integers), Args).

class(Name, Args, Result-Trace) :-
    retractall(told(_)),
    Goal =.. [Name|Args],
    (   catch(solve(Goal), _, fail) -> Result = true ; Result = false ),
    findall(Set, told(Set), Trace).

solve(true) :- !.
solve((A, B)) :- !, solve(A), solve(B).
solve(Goal) :- constraint(Goal), !, call(Goal).
solve(Goal) :-
    findall(Index, applies(Goal, Index), Set),
    assertz(told(Set)),
    member(Index, Set),
    nth_clause(Goal, Index, Ref),
    clause(Goal, Body, Ref),
    solve(Body).

applies(Goal, Index) :-
    nth_clause(Goal, Index, Ref),
    \+ \+ ( clause(Goal, Body, Ref), neck(Body) ).

neck((A, B)) :- !, ( constraint(A) -> call(A), neck(B) ; true ).
neck(A) :- ( constraint(A) -> call(A) ; true ).

constraint(_ = _).
constraint(dif(_, _)).
constraint(_ #= _).
constraint(_ #\= _).
constraint(_ #< _).
constraint(_ #> _).
constraint(_ #=< _).
constraint(_ #>= _).
