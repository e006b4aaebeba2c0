% What a name means in a module, and the numbers of predicates and events.

:- module(elsewise_resolve,
          [ resolve/4,                  % +Module, +Name, +Arity, -Meaning
            pred_id/4,                  % +Home, +Goal, +Context, -Id
            pred/5,                     % ?Id, ?Home, ?Name, ?Arity, ?Kind
            pred_copy/3,                % +Id, -Module, -CopyName
            copied/4,                   % +Module, +Name, +Arity, -Copy
            next_event/1,               % -Event
            meta_spec/4,                % +Module, +Name, +Arity, -Spec
            user_module/1,              % +Module
            user_file/1,                % +File
            set_subject_file/1,         % +File
            refuse_tabled/2,            % +Home, +Head
            note_unknown_calls/0,
            unknown_calls/0,
            next_waiting/1,             % -Id
            forget_program/0
          ]).

:- use_module(elsewise_classes).

:- dynamic
    pred/5,                             % Id, Home, Name, Arity, Kind
    known/4,                            % Module, Name, Arity, Meaning
    copied/4,                           % Module, Name, Arity, copy(Home, Name)
    subject_file/1,                     % a library of SWI may be the subject
    waiting/1,                          % Id of a predicate to instrument
    unknown_calls/0.

forget_program :-
    retractall(pred(_, _, _, _, _)),
    retractall(known(_, _, _, _)),
    retractall(copied(_, _, _, _)),
    retractall(waiting(_)),
    retractall(unknown_calls),
    nb_setval(elsewise_pred, 0),
    nb_setval(elsewise_event, 1),
    nb_setval(elsewise_strict, true).

next_event(Event) :-
    nb_getval(elsewise_event, Last),
    Event is Last+1,
    nb_setval(elsewise_event, Event).

note_unknown_calls :-
    (   unknown_calls
    ->  true
    ;   assertz(unknown_calls)
    ).

%!  resolve(+Module, +Name, +Arity, -Meaning) is semidet.
%
%   Meaning: followed(Home), dynamic(Home), prelude, class(Class), opaque, or
%   `system` for the control constructs that elsewise_instrument knows.

resolve(Module, Name, Arity, Meaning) :-
    (   known(Module, Name, Arity, Meaning0)
    ->  true
    ;   meaning(Module, Name, Arity, Meaning0),
        assertz(known(Module, Name, Arity, Meaning0))
    ),
    Meaning = Meaning0.

meaning(Module, Name, Arity, Meaning) :-
    functor(Head, Name, Arity),
    home(Module, Head, Home),
    !,
    meaning_at(Home, Head, Name, Arity, Module, Meaning).
meaning(Module, _, _, dynamic(Module)) :-      % not there yet, or never
    user_module(Module),
    !.
meaning(_, _, _, opaque).

meaning_at(Home, Head, Name, Arity, Module, Meaning) :-
    (   Home == system,
        elsewise_instrument:meta_name(Name, Arity)
    ->  Meaning = system
    ;   elsewise_prelude:stands_for(Name, Arity, Home),
        Module \== system              % so the prelude can reach SWI's own
    ->  Meaning = prelude
    ;   never_followed(Home),
        \+ user_module(Home)
    ->  (   class(Name, Arity, Class)
        ->  Meaning = class(Class)
        ;   Meaning = opaque
        )
    ;   followable(Home, Head, Kind)
    ->  Meaning =.. [Kind, Home]
    ;   Meaning = opaque
    ).

%!  home(+Module, +Head, -Home) is semidet.
%
%   The module that defines what Head means in Module; libraries are loaded for
%   it as SWI would do at the first call.

home(Module, Head, Home) :-
    visible(Module, Head, Home),
    !.
home(Module, Head, Home) :-
    catch('$define_predicate'(Module:Head), _, fail),
    visible(Module, Head, Home).

visible(Module, Head, Home) :-
    '$c_current_predicate'(_, Module:Head),
    !,
    (   predicate_property(Module:Head, imported_from(Home0))
    ->  Home = Home0
    ;   predicate_property(Module:Head, defined)
    ->  Home = Module
    ).
visible(Module, Head, Home) :-
    Module \== user,
    Module \== system,
    '$c_current_predicate'(_, user:Head),
    !,
    visible(user, Head, Home).
visible(_, Head, system) :-
    predicate_property(system:Head, defined).

%!  followable(+Home, +Head, -Kind) is semidet.
%
%   Kind: dynamic or followed.

followable(Home, Head, dynamic) :-
    predicate_property(Home:Head, dynamic),
    !,
    \+ predicate_property(Home:Head, thread_local),
    \+ predicate_property(Home:Head, tabled).
followable(Home, Head, followed) :-
    (   user_module(Home),
        nb_getval(elsewise_strict, true)
    ->  refuse_tabled(Home, Head)
    ;   true
    ),
    \+ predicate_property(Home:Head, foreign),
    \+ predicate_property(Home:Head, tabled),
    (   user_module(Home)
    ->  true
    ;   \+ calls_unfollowable(Home, Head)
    ).

refuse_tabled(Home, Head) :-
    (   predicate_property(Home:Head, tabled)
    ->  functor(Head, Name, Arity),
        format(string(Text), '~q is tabled: its answers come from a table, \c
                in an order that is not that of its clauses',
               [Name/Arity]),
        throw(refused(tabled, Text))
    ;   true
    ).

calls_unfollowable(Home, Head) :-
    catch(clause(Home:Head, Body), _, Body = setarg(_, _, _)),
    in_body(Body, Goal),
    functor(Goal, Name, Arity),
    unfollowable(Name, Arity),
    !.

in_body(Body, _) :- var(Body), !, fail.
in_body((A,B), Goal) :- !, ( in_body(A, Goal) ; in_body(B, Goal) ).
in_body((A;B), Goal) :- !, ( in_body(A, Goal) ; in_body(B, Goal) ).
in_body((A->B), Goal) :- !, ( in_body(A, Goal) ; in_body(B, Goal) ).
in_body((A*->B), Goal) :- !, ( in_body(A, Goal) ; in_body(B, Goal) ).
in_body(\+A, Goal) :- !, in_body(A, Goal).
in_body(_:A, Goal) :- !, in_body(A, Goal).
in_body(Goal, Goal) :- callable(Goal).

%!  user_module(+Module) is semidet.
%
%   The program's own: not of SWI, not of this tool.

user_module(user) :-
    !.
user_module(Module) :-
    module_property(Module, file(File)),
    user_file(File).

user_file(File) :-
    subject_file(File),
    !.
user_file(File) :-
    \+ of_swi(File),
    \+ of_this_tool(File).

set_subject_file(File) :-
    retractall(subject_file(_)),
    assertz(subject_file(File)).

of_swi(File) :-
    current_prolog_flag(home, Home),
    sub_atom(File, 0, _, _, Home).

of_this_tool(File) :-
    module_property(elsewise_resolve, file(Mine)),
    file_directory_name(Mine, Directory),
    file_directory_name(File, Directory),
    file_base_name(File, Base),
    sub_atom(Base, 0, _, _, elsewise_).

%!  meta_spec(+Module, +Name, +Arity, -Spec) is semidet.

meta_spec(Module, Name, Arity, Spec) :-
    functor(Head, Name, Arity),
    predicate_property(Module:Head, meta_predicate(Spec)),
    arg(_, Spec, Argument),
    elsewise_instrument:meta_argument(Argument),
    !.

%!  pred_id(+Home, +Goal, +Context, -Id) is semidet.
%
%   While a program is loaded, a predicate that is new is made to wait for
%   instrumentation. When it runs there are no new ones.

pred_id(Home, Goal, context(_, Time, _), Id) :-
    functor(Goal, Name, Arity),
    (   pred(Id0, Home, Name, Arity, _)
    ->  Id = Id0
    ;   Time \== run,
        new_pred(Home, Name, Arity, Id)
    ).

new_pred(Home, Name, Arity, Id) :-
    functor(Head, Name, Arity),
    kind(Home, Head, Kind),
    nb_getval(elsewise_pred, Last),
    Id is Last+1,
    nb_setval(elsewise_pred, Id),
    assertz(pred(Id, Home, Name, Arity, Kind)),
    assertz(waiting(Id)).

kind(Home, Head, Kind) :-
    (   \+ '$get_predicate_attribute'(Home:Head, defined, 1)
    ->  Kind = undefined
    ;   predicate_property(Home:Head, dynamic)
    ->  Kind = (dynamic)
    ;   user_module(Home)
    ->  Kind = static
    ;   Kind = library
    ).

next_waiting(Id) :-
    retract(waiting(Id)),
    !.

%   No program has such a name.

pred_copy(Id, Home, CopyName) :-
    pred(Id, Home, Name, _, _),
    atom_concat('$elsewise ', Name, CopyName).
