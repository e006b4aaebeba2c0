% What a run changes in the machine that no snapshot undoes: put back when it
% is over, so that each run begins as the first did.

:- module(elsewise_state,
          [ forget_changes/0,
            undo_changes/1              % -Left
          ]).

%   Whatever a run is about to change for the first time is kept as it was.

:- public about_to_change/2.

:- meta_predicate about_to_change(+, 0).

about_to_change(Things, Plain) :-
    (   nb_current(elsewise_running, true),
        \+ prolog_load_context(source, _)      % a library that is needed first now
    ->  nb_setval(elsewise_running, false),
        catch(keep(Things), _, true),   % the predicate says what is wrong itself
        nb_setval(elsewise_running, true)
    ;   true
    ),
    call(Plain).

keep(Things) :-
    nb_getval(elsewise_changed, Kept),
    findall(Thing-Value,
            ( thing(Things, Thing),
              \+ memberchk_(Thing, Kept),
              value(Thing, Value)
            ),
            New),
    '$append'(New, Kept, All),
    nb_setval(elsewise_changed, All).

memberchk_(Thing, Kept) :-
    '$member'(Known-_, Kept),
    Known == Thing,
    !.

%   thing(+Arguments, -Thing): what is changed, from the arguments of what changes it.

thing(flag(Name), flag(Name)) :-
    atom(Name).
thing(op(Module, Names), op(At, Name)) :-
    names(Names, Module, At, Name).
thing(record(Key), record(Key)) :-
    nonvar(Key),
    Key \== elsewise_end.
thing(reference(Reference), record(Key)) :-
    catch(recorded(Key, _, Reference), _, fail),
    Key \== elsewise_end.
thing(counter(Key), counter(Key)) :-
    nonvar(Key).
thing(variable(Name), variable(Name)) :-
    nonvar(Name).
thing(directory, directory).
thing(never, never).

names(Names, _, _, _) :-
    var(Names),
    !,
    fail.
names(Module:Names, _, At, Name) :-
    !,
    names(Names, Module, At, Name).
names(Names, Module, At, Name) :-
    is_list(Names),
    Names \== [],
    !,
    '$member'(One, Names),
    names(One, Module, At, Name).
names(Name, Module, Module, Name) :-
    atom(Name).

value(flag(Name), Value) :-
    (   current_prolog_flag(Name, Value)
    ->  true
    ;   Value = '$none'
    ).
value(op(Module, Name), Ops) :-
    findall(Priority-Type, current_op(Priority, Type, Module:Name), Found),
    sort(Found, Ops).
value(record(Key), Terms) :-
    findall(Term, recorded(Key, Term), Terms).
value(counter(Key), Value) :-
    flag(Key, Value, Value).
value(variable(Name), Value) :-
    (   getenv(Name, Value)
    ->  true
    ;   Value = '$none'
    ).
value(directory, Value) :-
    working_directory(Value, Value).
value(never, '$none').

%!  forget_changes is det.
%
%   From now on, what is changed is kept as it is now.

forget_changes :-
    nb_setval(elsewise_changed, []).

%!  undo_changes(-Left) is det.
%
%   Left is true if something could not be put back.

undo_changes(Left) :-
    nb_getval(elsewise_changed, Kept),
    forget_changes,
    (   Kept == []
    ->  Left = false
    ;   forall('$member'(Thing-Value, Kept),
               ignore(catch(put_back(Thing, Value), _, true))),
        (   '$member'(Thing-Value, Kept),
            \+ catch(is_back(Thing, Value), _, fail)
        ->  Left = true
        ;   Left = false
        )
    ).

is_back(never, _) :-
    !,
    fail.
is_back(Thing, Value) :-
    value(Thing, Now),
    Now =@= Value.

put_back(Thing, Value) :-
    is_back(Thing, Value),
    !.
put_back(flag(Name), Value) :-
    Value \== '$none',
    set_prolog_flag(Name, Value).
put_back(op(Module, Name), Ops) :-
    value(op(Module, Name), Now),
    forall('$member'(_-Type, Now), op(0, Type, Module:Name)),
    forall('$member'(Priority-Type, Ops), op(Priority, Type, Module:Name)).
put_back(record(Key), Terms) :-
    forall(recorded(Key, _, Reference), erase(Reference)),
    forall('$member'(Term, Terms), recordz(Key, Term)).
put_back(counter(Key), Value) :-
    flag(Key, _, Value).
put_back(variable(Name), '$none') :-
    !,
    unsetenv(Name).
put_back(variable(Name), Value) :-
    setenv(Name, Value).
put_back(directory, Value) :-
    working_directory(_, Value).

%   What changes it.

watch(Head, Things) :-
    (   predicate_property(system:Head, imported_from(Home))
    ->  true
    ;   Home = system
    ),
    '$wrap_predicate'(Home:Head, elsewise, _, Plain,
                      elsewise_state:about_to_change(Things, Plain)).

:- watch(set_prolog_flag(Name, _), flag(Name)).
:- watch(create_prolog_flag(Name, _, _), flag(Name)).
:- watch(op(_, _, Names), op(user, Names)).
:- watch(recorda(Key, _), record(Key)).
:- watch(recorda(Key, _, _), record(Key)).
:- watch(recordz(Key, _), record(Key)).
:- watch(recordz(Key, _, _), record(Key)).
:- watch(erase(Reference), reference(Reference)).
:- watch(flag(Key, _, _), counter(Key)).
:- watch(setenv(Name, _), variable(Name)).
:- watch(unsetenv(Name), variable(Name)).
:- watch(working_directory(_, _), directory).
:- watch(chdir(_), directory).
:- watch(char_conversion(_, _), never).
