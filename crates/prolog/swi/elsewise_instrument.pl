% A clause body as the engine sees it (annotated), and as it runs.

:- module(elsewise_instrument,
          [ annotate/3,                 % +Body, +Context, -Annotated
            runnable/4,                 % +Annotated, +Home, +Cut, -Goal
            body_ok/1,                  % +Body
            extended/3,                 % +Closure, +Extra, -Goal
            renamed/3                   % +Goal, +Name, -Renamed
          ]).

:- use_module(elsewise_classes).
:- use_module(elsewise_resolve).

%!  annotate(+Body, +Context, -Annotated) is det.
%
%   Context is context(Module, Time, Qualified): the module that goals are
%   resolved in, `load` or `run`, and the variables that are known to carry a
%   module already.

annotate(Body, Context, Annotated) :-
    (   control(Body, Context, Annotated0)
    ->  Annotated = Annotated0
    ;   meta(Body, Context, Annotated0)
    ->  Annotated = Annotated0
    ;   goal(Body, Context, Annotated)
    ).

%   Control constructs, which no program can define for itself.

control(Goal, Context, call(0, Module, Goal, [])) :-
    var(Goal),
    !,
    context_module(Context, Module),
    call_of_unknown(Context, Goal).
control(true, _, true).
control(fail, _, fail).
control(false, _, fail).
control(!, _, cut).
control((A,B), Context, and(AnnA, AnnB)) :-
    annotate(A, Context, AnnA),
    annotate(B, Context, AnnB).
control((A;B), Context, Annotated) :-
    choice(A, B, Context, Annotated).
control((A|B), Context, Annotated) :-
    choice(A, B, Context, Annotated).
control((C->T), Context, ite(AnnC, AnnT, fail)) :-
    annotate(C, Context, AnnC),
    annotate(T, Context, AnnT).
control((C*->T), Context, soft(AnnC, AnnT, fail)) :-
    annotate(C, Context, AnnC),
    annotate(T, Context, AnnT).
control(\+A, Context, not(AnnA)) :-
    annotate(A, Context, AnnA).
control(Module:Goal, Context, Annotated) :-
    (   atom(Module)
    ->  in_module(Context, Module, Inner),
        annotate(Goal, Inner, Annotated)
    ;   context_module(Context, Here),
        call_of_unknown(Context, Goal),
        Annotated = call(0, Here, Module:Goal, [])
    ).

choice(A, B, Context, Annotated) :-
    (   nonvar(A), A = (C->T)
    ->  Annotated = ite(AnnC, AnnT, AnnB),
        annotate(C, Context, AnnC),
        annotate(T, Context, AnnT)
    ;   nonvar(A), A = (C*->T)
    ->  Annotated = soft(AnnC, AnnT, AnnB),
        annotate(C, Context, AnnC),
        annotate(T, Context, AnnT)
    ;   Annotated = or(AnnA, AnnB),
        annotate(A, Context, AnnA)
    ),
    annotate(B, Context, AnnB).

%   Meta-predicates of SWI that are control for us, where the program has none
%   of its own by that name. Their cuts are local.

meta(Goal, Context, Annotated) :-
    functor(Goal, Name, Arity),
    meta_name(Name, Arity),
    context_module(Context, Module),
    resolve(Module, Name, Arity, system),
    meta_(Goal, Context, Annotated).

meta_name(once, 1).
meta_name(ignore, 1).
meta_name(not, 1).
meta_name(forall, 2).
meta_name(findall, 3).
meta_name(catch, 3).
meta_name(call, Arity) :- Arity >= 1.
meta_name(^, 2).
meta_name($, 0).
meta_name($, 1).

meta_(once(G), Context, ite(Ann, true, fail)) :-
    inner(G, Context, Ann).
meta_(ignore(G), Context, ite(Ann, true, true)) :-
    inner(G, Context, Ann).
meta_(not(G), Context, not(Ann)) :-
    inner(G, Context, Ann).
meta_(forall(C, A), Context, not(and(AnnC, not(AnnA)))) :-
    inner(C, Context, AnnC),
    inner(A, Context, AnnA).
meta_(findall(T, G, L), Context, findall(Event, T, Ann, L)) :-
    inner(G, Context, Ann),
    new_event(Context, Event).
meta_(catch(G, C, R), Context, catch(Event, AnnG, C, AnnR)) :-
    inner(G, Context, AnnG),
    inner(R, Context, AnnR),
    new_event(Context, Event).
meta_(_^G, Context, Ann) :-
    inner(G, Context, Ann0),
    local(Ann0, G, Context, Ann).
meta_($, _, cut).
meta_($(G), Context, ite(Ann, true, fail)) :-
    inner(G, Context, Ann).
meta_(Call, Context, Annotated) :-
    compound_name_arguments(Call, call, [G|Extra]),
    (   nonvar(G),
        known(G, Extra, Goal)
    ->  inner(Goal, Context, Ann),
        local(Ann, Goal, Context, Annotated)
    ;   context_module(Context, Module),
        call_of_unknown(Context, G),
        Annotated = call(0, Module, G, Extra)
    ).

known(G, [], G) :-
    !,
    callable(G).
known(Module:G, Extra, Module:Goal) :-
    !,
    atom(Module),
    nonvar(G),
    known(G, Extra, Goal).
known(G, Extra, Goal) :-
    callable(G),
    \+ control_functor(G),
    extended(G, Extra, Goal).

%   A goal that is called: one that call/1 would or might refuse as a whole is
%   left to call/1.

inner(G, Context, Ann) :-
    (   nonvar(G),
        ( \+ body_ok(G) ; unknown_part(G), G \= _:_ )
    ->  reach(G, Context),
         context_module(Context, Module),
        Ann = call(0, Module, G, [])
    ;   annotate(G, Context, Ann)
    ).

%   Where nothing else bounds a cut, call/1 has to.

local(Ann0, Goal, Context, Ann) :-
    (   has_cut(Ann0)
    ->  reach(Goal, Context),
        context_module(Context, Module),
        Ann = call(0, Module, Goal, [])
    ;   Ann = Ann0
    ).

has_cut(cut).
has_cut(and(A, B)) :- ( has_cut(A) -> true ; has_cut(B) ).
has_cut(or(A, B)) :- ( has_cut(A) -> true ; has_cut(B) ).
has_cut(ite(_, T, E)) :- ( has_cut(T) -> true ; has_cut(E) ).
has_cut(soft(_, T, E)) :- ( has_cut(T) -> true ; has_cut(E) ).

%!  body_ok(+Body) is semidet.
%
%   call/1 takes it: no number stands where a goal must.

body_ok(Goal) :-
    var(Goal),
    !.
body_ok((A,B)) :- !, body_ok(A), body_ok(B).
body_ok((A;B)) :- !, body_ok(A), body_ok(B).
body_ok((A->B)) :- !, body_ok(A), body_ok(B).
body_ok((A*->B)) :- !, body_ok(A), body_ok(B).
body_ok(\+A) :- !, body_ok(A).
body_ok(Module:Goal) :- !, ( atom(Module) -> body_ok(Goal) ; true ).
body_ok(Goal) :-
    callable(Goal).

unknown_part(Goal) :- var(Goal), !.
unknown_part((A,B)) :- ( unknown_part(A) -> true ; unknown_part(B) ).
unknown_part((A;B)) :- ( unknown_part(A) -> true ; unknown_part(B) ).
unknown_part((A->B)) :- ( unknown_part(A) -> true ; unknown_part(B) ).
unknown_part((A*->B)) :- ( unknown_part(A) -> true ; unknown_part(B) ).
unknown_part(\+A) :- unknown_part(A).
unknown_part(_:A) :- unknown_part(A).

%   Annotated for what it reaches only: its events are not used.

reach(Goal, context(Module, Time, Known)) :-
    (   Time == run
    ->  true
    ;   annotate(Goal, context(Module, reach, Known), _)
    ).

control_functor((_,_)).
control_functor((_;_)).
control_functor((_->_)).
control_functor((_*->_)).
control_functor((_|_)).
control_functor(\+_).
control_functor(!).

%   Any other goal: what it is depends on what its name means in the module.

goal(Goal, Context, Annotated) :-
    callable(Goal),
    !,
    functor(Goal, Name, Arity),
    context_module(Context, Module),
    resolve(Module, Name, Arity, Meaning),
    goal(Meaning, Goal, Context, Annotated).
goal(Goal, Context, call(0, Module, Goal, [])) :-
    context_module(Context, Module).

goal(followed(Home), Goal, Context, Annotated) :-
    qualified(Goal, Home, Context, Qualified, Annotated, user(Id, Qualified)),
    pred_id(Home, Goal, Context, Id),
    !.
goal(dynamic(Home), Goal, Context, Annotated) :-
    qualified(Goal, Home, Context, Qualified, Annotated,
              dyn(Id, Event, Qualified)),
    pred_id(Home, Goal, Context, Id),
    !,
    new_event(Context, Event).
goal(prelude, Goal, Context, Annotated) :-
    context_module(Context, Module),
    qualified(Goal, Module, Context, Qualified, Annotated,
              user(Id, Qualified)),
    pred_id(elsewise_prelude, Goal, Context, Id),
    !.
goal(class(builtin), Goal, Context, builtin(Event, Told)) :-
    !,
    told_with_module(Goal, Context, Told),
    (   functor(Goal, throw, 1)
    ->  Event = 0
    ;   new_event(Context, Event)
    ).
goal(class(silent), Goal, Context, Annotated) :-
    silent(Goal),
    !,
    with_module(Goal, Context, Placed),
    Annotated = silent(Placed).
goal(class(once), Goal, Context, once(Event, Placed)) :-
    !,
    with_module(Goal, Context, Placed),
    new_event(Context, Event).
goal(class(clpfd), Goal, Context, clpfd(Event, Placed)) :-
    !,
    with_module(Goal, Context, Placed),
    new_event(Context, Event).
goal(_, Goal, Context, opaque(Event, Placed)) :-
    touch_closures(Goal, Context),
    with_module(Goal, Context, Placed),
    new_event(Context, Event).

%   format/3 writes to a stream, unless it makes an atom.

silent(format(Sink, _, _)) :-
    !,
    nonvar(Sink),
    atom(Sink).
silent(Goal) :-
    functor(Goal, _, _).

told_with_module(Goal, Context, Told) :-
    functor(Goal, Name, Arity),
    module_argument(Name, Arity),
    !,
    arg(1, Goal, Clause),
    context_module(Context, Module),
    elsewise_rt:qualify(Module, Clause, Qualified),
    Told =.. [Name, Qualified].
told_with_module(Goal, _, Goal).

%   Goals that nobody follows are told with their module: what they mean may
%   depend on it.

with_module(Goal, Context, Module:Goal) :-
    context_module(Context, Module).

%!  qualified(+Goal, +Home, +Context, -Qualified, -Annotated, +Call)
%
%   Arguments of meta-predicates get their module as SWI would add it. What is
%   a variable now gets it when the goal is run.

qualified(Goal, Home, Context, Qualified, Annotated, Call) :-
    functor(Goal, Name, Arity),
    meta_spec(Home, Name, Arity, Spec),
    !,
    compound_name_arguments(Spec, _, Specs),
    compound_name_arguments(Goal, _, Args),
    touch_closures(Specs, Args, Context),
    qualify_all(Specs, Args, Context, QArgs, Annotated, Call),
    compound_name_arguments(Qualified, Name, QArgs).
qualified(Goal, _, _, Goal, Call, Call).

qualify_all([], [], _, [], Call, Call).
qualify_all([Spec|Specs], [Arg|Args], Context, [Q|Qs], Ann, Call) :-
    (   meta_argument(Spec)
    ->  qualify_one(Arg, Context, Q, Ann, Ann1)
    ;   Q = Arg,
        Ann = Ann1
    ),
    qualify_all(Specs, Args, Context, Qs, Ann1, Call).

qualify_one(Arg, context(Module, load, Known), Q, Ann, Ann1) :-
    var(Arg),
    !,
    (   member_eq(Arg, Known)
    ->  Q = Arg,
        Ann = Ann1
    ;   Ann = and(qualify(Module, Arg, Q), Ann1)
    ).
qualify_one(Arg, context(Module, _, _), Q, Ann, Ann) :-
    elsewise_rt:qualify(Module, Arg, Q).

meta_argument(Spec) :- integer(Spec), !.
meta_argument(:).
meta_argument(^).
meta_argument(//).

member_eq(X, [Y|Ys]) :-
    (   X == Y
    ->  true
    ;   member_eq(X, Ys)
    ).

%   Closures in arguments of meta-predicates are reachable, with the arguments
%   that will be added.

touch_closures(Goal, Context) :-
    functor(Goal, Name, Arity),
    context_module(Context, Module),
    (   meta_spec(Module, Name, Arity, Spec)
    ->  compound_name_arguments(Spec, _, Specs),
        compound_name_arguments(Goal, _, Args),
        touch_closures(Specs, Args, Context)
    ;   true
    ).

touch_closures(Specs, Args, Context) :-
    (   Context = context(_, load, _)
    ->  touch_all(Specs, Args, Context)
    ;   true
    ).

touch_all([], [], _).
touch_all([Spec|Specs], [Arg|Args], Context) :-
    (   added(Spec, N)
    ->  touch(Arg, N, Context)
    ;   true
    ),
    touch_all(Specs, Args, Context).

added(N, N) :- integer(N), !.
added(^, 0).
added(//, 2).

touch(Closure, _, Context) :-
    var(Closure),
    !,
    call_of_unknown(Context, Closure).
touch(Module:Closure, N, Context) :-
    !,
    (   atom(Module)
    ->  in_module(Context, Module, Inner),
        touch(Closure, N, Inner)
    ;   true
    ).
touch(_^Closure, N, Context) :-
    !,
    touch(Closure, N, Context).
touch(Closure, N, Context) :-
    callable(Closure),
    !,
    length(Extra, N),
    (   N =:= 0
    ->  Goal = Closure
    ;   extended(Closure, Extra, Goal)
    ),
    reach(Goal, Context).
touch(_, _, _).

context_module(context(Module, _, _), Module).

in_module(context(_, Time, Known), Module, context(Module, Time, Known)).

new_event(context(_, Time, _), Event) :-
    (   Time == load
    ->  next_event(Event)
    ;   Event = 1
    ).

%   A call whose goal is known when it runs only. In user code that may be any
%   predicate of the program. Libraries get theirs from their callers.

call_of_unknown(context(Module, Time, Known), Goal) :-
    (   Time \== run,
        user_module(Module),
        \+ member_eq(Goal, Known)
    ->  note_unknown_calls
    ;   true
    ).

extended(Closure, Extra, Goal) :-
    (   atom(Closure)
    ->  Goal =.. [Closure|Extra]
    ;   compound_name_arguments(Closure, Name, Args0),
        joined(Args0, Extra, Args),
        compound_name_arguments(Goal, Name, Args)
    ).

joined([], Ys, Ys).
joined([X|Xs], Ys, [X|Zs]) :-
    joined(Xs, Ys, Zs).

renamed(Goal, Name, Renamed) :-
    (   atom(Goal)
    ->  Renamed = Name
    ;   compound_name_arguments(Goal, _, Args),
        compound_name_arguments(Renamed, Name, Args)
    ).

%!  runnable(+Annotated, +Home, +Cut, -Goal) is det.
%
%   The goal to run in module Home. Cut is what a cut is there.

runnable(true, _, _, true).
runnable(fail, _, _, fail).
runnable(cut, _, Cut, Cut).
runnable(and(A, B), Home, Cut, (GA, GB)) :-
    runnable(A, Home, Cut, GA),
    runnable(B, Home, Cut, GB).
runnable(or(A, B), Home, Cut, (GA ; GB)) :-
    runnable(A, Home, Cut, GA),
    runnable(B, Home, Cut, GB).
runnable(ite(C, T, E), Home, Cut, (GC -> GT ; GE)) :-
    runnable(C, Home, !, GC),
    runnable(T, Home, Cut, GT),
    runnable(E, Home, Cut, GE).
runnable(soft(C, T, E), Home, Cut, (GC *-> GT ; GE)) :-
    runnable(C, Home, !, GC),
    runnable(T, Home, Cut, GT),
    runnable(E, Home, Cut, GE).
runnable(not(A), Home, _, \+ GA) :-
    runnable(A, Home, !, GA).
runnable(user(Id, Goal), Home, _, Called) :-
    pred_copy(Id, Module, Name),
    renamed(Goal, Name, Renamed),
    (   Module == Home
    ->  Called = Renamed
    ;   Called = Module:Renamed
    ).
runnable(dyn(Id, Event, Goal), _, _,
         elsewise_rt:dynamic_call(Module, Goal, Char)) :-
    pred_copy(Id, Module, _),
    elsewise_rt:event_char(Event, Char).
runnable(builtin(Event, Goal), _, _, Called) :-
    (   Event =:= 0
    ->  Called = Goal
    ;   Called = (Goal, Emit),
        emitting(Event, Emit)
    ).
runnable(once(Event, Goal), _, _, elsewise_rt:one(Goal, Char, Args)) :-
    told(Event, Goal, Char, Args).
runnable(opaque(Event, Goal), _, _, elsewise_rt:any(Goal, Char, Args)) :-
    told(Event, Goal, Char, Args).
runnable(clpfd(Event, Goal), _, _,
         elsewise_rt:constraint(Goal, Char, Args)) :-
    told(Event, Goal, Char, Args).
runnable(silent(Goal), _, _, Goal).
runnable(qualify(Module, Arg, Q), _, _, elsewise_rt:qualify(Module, Arg, Q)).
runnable(findall(Event, T, A, L), Home, _, (findall(T, G, L), Emit)) :-
    runnable(A, Home, !, G),
    emitting(Event, Emit).
runnable(catch(Event, A, Catcher, R), Home, _,
         catch(G, Catcher, (elsewise_rt:caught(Char, Catcher), GR))) :-
    runnable(A, Home, !, G),
    runnable(R, Home, !, GR),
    elsewise_rt:event_char(Event, Char).
runnable(call(_, Module, Goal, Extra), _, _, Called) :-
    (   Extra == []
    ->  Called = elsewise_rt:run_goal(Module, Goal)
    ;   Called = elsewise_rt:run_goal(Module, Goal, Extra)
    ).

emitting(Event, put_char(Stream, Char)) :-
    elsewise_rt:event_char(Event, Char),
    elsewise_rt:event_stream(Stream).

told(Event, Goal, Char, Args) :-
    elsewise_rt:event_char(Event, Char),
    strip_module(Goal, _, Plain),
    (   atom(Plain)
    ->  Args = []
    ;   compound_name_arguments(Plain, _, Args)
    ).
