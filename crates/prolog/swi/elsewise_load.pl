% Loads a program as it is, makes the copies, and tells the engine about it.

:- module(elsewise_load,
          [ load_program/5,             % +File, +Name, ?Arity, +Options, +Out
            loaded_entry/3,             % -Module, -Name, -Copy
            loaded_global/2,            % -Key, -Value
            global_of_subject/1,        % +Key
            uses_random/0
          ]).

:- use_module(elsewise_source).
:- use_module(elsewise_classes).
:- use_module(elsewise_instrument).
:- use_module(elsewise_resolve).
:- use_module(elsewise_rt).
:- use_module(elsewise_write).
:- use_module(elsewise_modes).

:- dynamic
    dumped/5,                           % Id, Event, Line, Head, Body
    loaded_entry/3,                     % Module, Name, CopyName
    loaded_global/2,                    % Key, Value
    uses_random/0,
    load_error/1.                       % Text

%!  load_program(+File, +Name, ?Arity, +Options, +Out) is det.
%
%   Writes the dump to Out, or throws refused(Kind, Text).

load_program(File, Name, Arity, Options, Out) :-
    forget_program,
    retractall(dumped(_, _, _, _, _)),
    retractall(loaded_entry(_, _, _)),
    forget_modes,
    load_plain(File, Module),
    note_globals,
    retractall(uses_random),
    forall(( source_file(Loaded), user_file(Loaded) ), read_source(Loaded)),
    entry(Module, Name, Arity, Home),
    functor(Head, Name, Arity),
    refuse_entry(Home, Head),
    pred_id(Home, Head, context(Module, load, []), Entry),
    instrument_waiting,
    (   unknown_calls
    ->  everything_of_user,
        instrument_waiting
    ;   true
    ),
    pred_copy(Entry, _, CopyName),
    entry_copy(Entry, Home, Head, CopyName),
    assertz(loaded_entry(Home, Name, CopyName)),
    dump(Entry, Options, Out).

%   What the text tells and the clauses do not.

read_source(File) :-
    setup_call_cleanup(
        open(File, read, In, [encoding(utf8)]),
        read_string(In, _, Text),
        close(In)),
    read_modes(Text),
    (   sub_string(Text, _, _, _, "random")
    ->  assertz(uses_random)
    ;   true
    ).

%   Global variables that the program set while it was loaded.

note_globals :-
    retractall(loaded_global(_, _)),
    forall(( nb_current(Key, Value), global_of_subject(Key) ),
           assertz(loaded_global(Key, Value))).

global_of_subject(Key) :-
    \+ sub_atom(Key, 0, _, _, $),
    \+ sub_atom(Key, 0, _, _, elsewise_).

%   Loading

load_plain(File, Module) :-
    retractall(load_error(_)),
    accept_pred,
    set_prolog_flag(clpfd_goal_expansion, false),
    (   absolute_file_name(File, Path,
                           [ access(read), file_type(prolog),
                             file_errors(fail) ])
    ->  true
    ;   format(string(Text), 'no such file: ~w', [File]),
        throw(refused(file, Text))
    ),
    set_subject_file(Path),
    (   current_prolog_flag(home, SWI),
        sub_atom(Path, 0, _, _, SWI)
    ->  When = not_loaded               % a library that we may use ourselves
    ;   When = true
    ),
    nb_setval(elsewise_running, true),  % a halt in the program is not ours
    setup_call_cleanup(
        asserta((user:message_hook(Term, Kind, Lines) :-
                    elsewise_load:message(Term, Kind, Lines)), Ref),
        catch(load_files(user:Path, [silent(true), if(When)]), Error,
              load_failed(Error)),
        ( erase(Ref), nb_setval(elsewise_running, false) )),
    (   load_error(Text)
    ->  throw(refused(load, Text))
    ;   true
    ),
    (   module_property(Module0, file(Path))
    ->  Module = Module0
    ;   Module = user
    ).

%   `:- pred p(+integer) is det.` is read by elsewise_modes.

accept_pred :-
    (   current_op(_, fx, user:pred)
    ->  true
    ;   op(1150, fx, user:pred),
        assertz((system:term_expansion((:- pred(_)), []) :- true))
    ).

load_failed(Error) :-
    message_to_codes_text(Error, Text),
    throw(refused(load, Text)).

message_to_codes_text(Error, Text) :-
    '$messages':translate_message(Error, Lines, []),
    lines_text(Lines, Text).

%   Errors while loading are kept, the first is told. Nothing is printed.

message(Term, error, Lines) :-
    Term \= initialization_error(_, _, _),
    Term \= init_goal(_, _),
    load_error_text(Term, Lines, Text),
    assertz(load_error(Text)).
message(_, _, _).

load_error_text(error(syntax_error(What), file(File, Line, _, _)), _, Text) :-
    !,
    format(string(Text), '~w:~w: syntax error: ~w', [File, Line, What]).
load_error_text(_, Lines, Text) :-
    lines_text(Lines, Text0),
    (   source_location(File, Line)
    ->  format(string(Text), '~w:~w: ~w', [File, Line, Text0])
    ;   Text = Text0
    ).

lines_text(Lines, Text) :-
    with_output_to(string(Text0),
                   ( current_output(Out),
                     print_message_lines(Out, '', Lines) )),
    split_string(Text0, "", "\n ", [Text]).

%   The entry

entry(Module, Name, Arity, Home) :-
    integer(Arity),
    functor(Head, Name, Arity),
    predicate_property(Module:Head, defined),
    \+ predicate_property(Module:Head, foreign),
    !,
    (   predicate_property(Module:Head, imported_from(Home0))
    ->  Home = Home0
    ;   Home = Module
    ).
entry(Module, Name, Arity, Module) :-
    var(Arity),
    current_predicate(Module:Name/Arity),
    functor(Head, Name, Arity),
    \+ predicate_property(Module:Head, imported_from(_)),
    !.
entry(Module, Name, Arity, _) :-
    findall(N/A, own_predicate(Module, N, A), There0),
    sort(There0, There),
    (   var(Arity)
    ->  Wanted = Name
    ;   Wanted = Name/Arity
    ),
    format(string(Text), 'no predicate ~q; there are: ~q', [Wanted, There]),
    throw(refused(predicate, Text)).

own_predicate(Module, Name, Arity) :-
    current_predicate(Module:Name/Arity),
    functor(Head, Name, Arity),
    \+ predicate_property(Module:Head, imported_from(_)),
    predicate_property(Module:Head, file(File)),
    user_file(File),
    \+ sub_atom(Name, 0, _, _, $).

refuse_entry(Home, Head) :-
    refuse_tabled(Home, Head),
    functor(Head, Name, Arity),
    (   resolve(Home, Name, Arity, Meaning),
        functor(Meaning, Kind, 1),
        ( Kind == followed ; Kind == dynamic )
    ->  true
    ;   format(string(Text), '~q cannot be followed', [Name/Arity]),
        throw(refused(predicate, Text))
    ).

%   Where a goal may be any predicate, all of the program are instrumented that
%   can be.

everything_of_user :-
    nb_setval(elsewise_strict, false),
    forall(( current_module(Module), user_module(Module) ),
           forall(own_predicate(Module, Name, Arity),
                  ( functor(Head, Name, Arity),
                    \+ predicate_property(Module:Head, tabled),
                    annotate(Head, context(Module, reach, []), _) ))),
    forall(elsewise_prelude:stands_for(Name, Arity, _),
           ( functor(Head, Name, Arity),
             pred_id(elsewise_prelude, Head, context(user, reach, []), _) )).

%   Instrumentation

instrument_waiting :-
    next_waiting(Id),
    !,
    instrument(Id),
    instrument_waiting.
instrument_waiting.

instrument(Id) :-
    pred(Id, Home, Name, Arity, Kind),
    functor(Head, Name, Arity),
    pred_copy(Id, _, CopyName),
    instrument(Kind, Id, Home, Head, CopyName/Arity).

instrument(undefined, _, _, _, _) :-
    !.
instrument(dynamic, Id, Home, Head, _) :-
    !,
    forall(clause(Home:Head, Body, Ref),
           ( clause_line(Ref, Line),
             % What its body calls must be there when it is called.
             annotate(Body, context(Home, reach, []), _),
             assertz(dumped(Id, 0, Line, Head, Body)) )).
instrument(_, Id, Home, Head, CopyName/Arity) :-
    clear_copy(Home, CopyName/Arity),
    forall(program_clause(Home, Head, Body, Ref),
           instrument_clause(Id, Home, Head, Body, Ref, CopyName)),
    no_rule(Home, Head, CopyName).

%   Where no rule matches, the error names the predicate, not its copy.

no_rule(Home, Head, CopyName) :-
    (   predicate_property(Home:Head, ssu)
    ->  ( Home == user -> Goal = Head ; Goal = Home:Head ),
        renamed(Head, CopyName, CopyHead),
        add_clause(Home:(CopyHead =>
                             throw(error(existence_error(matching_rule, Goal),
                                         _))))
    ;   true
    ).

%   One without clauses must fail, not be unknown.

clear_copy(Home, Name/Arity) :-
    (   current_predicate(Home:Name/Arity)
    ->  abolish(Home:Name/Arity)
    ;   true
    ),
    discontiguous(Home:Name/Arity).

%   As the compiler adds clauses of files: only in static code are unifications
%   moved.

add_clause(Clause) :-
    '$record_clause'(Clause, elsewise, elsewise:1, _).

instrument_clause(Id, Home, Head, '$elsewise rule'(Guard, Body), Ref,
                  CopyName) :-
    !,
    clause_line(Ref, Line),
    next_event(Event),
    event_goal(Event, Emit),
    qualified_variables(Home, Head, Known),
    Context = context(Home, load, Known),
    annotate(Guard, Context, AnnGuard),
    annotate(Body, Context, AnnBody),
    assertz(dumped(Id, Event, Line, Head, ssu(AnnGuard, AnnBody))),
    runnable(AnnGuard, Home, !, GuardGoal),
    runnable(AnnBody, Home, !, BodyGoal),
    renamed(Head, CopyName, CopyHead),
    (   Guard == true
    ->  add_clause(Home:(CopyHead => Emit, BodyGoal))
    ;   add_clause(Home:(?=>(CopyHead, (GuardGoal, !, Emit, BodyGoal))))
    ).
instrument_clause(Id, Home, Head, Body, Ref, CopyName) :-
    clause_line(Ref, Line),
    next_event(Event),
    event_goal(Event, Emit),
    leading_unifications(Body, Unifications, Rest),
    qualified_variables(Home, Head, Known),
    renamed(Head, CopyName, CopyHead),
    (   tell_clause(Id, Home, Event, Line, Head, Unifications, Rest, Known,
                    Goal)
    ->  copy_body(Unifications, Emit, Goal, CopyBody)
    ;   CopyBody = fail
    ),
    add_clause(Home:(CopyHead :- CopyBody)).

%   The engine sees the head after the unifications; the copy has them where
%   they were, so that SWI compiles it as it compiled the clause.

tell_clause(Id, Home, Event, Line, Head, Unifications, Rest, Known, Goal) :-
    annotate(Rest, context(Home, load, Known), Annotated),
    runnable(Annotated, Home, !, Goal),
    \+ \+ ( unified(Unifications),
            assertz(dumped(Id, Event, Line, Head, Annotated)) ).

unified([]).
unified([A = B|Unifications]) :-
    unify_with_occurs_check(A, B),
    unified(Unifications).

copy_body([Unification|More], Emit, Goal, (Unification, Body)) :-
    !,
    copy_body(More, Emit, Goal, Body).
copy_body([], Emit, Goal, Body) :-
    (   Goal == true
    ->  Body = Emit
    ;   Body = (Emit, Goal)
    ).

event_goal(Event, put_char(Stream, Char)) :-
    event_char(Event, Char),
    event_stream(Stream).

clause_line(Ref, Line) :-
    (   clause_property(Ref, line_count(Line0))
    ->  Line = Line0
    ;   Line = 0
    ).

%   Variables of the head that come with a module, from the declaration.

qualified_variables(Home, Head, Known) :-
    functor(Head, Name, Arity),
    (   meta_spec(Home, Name, Arity, Spec)
    ->  findall(I, ( arg(I, Spec, S), elsewise_instrument:meta_argument(S) ),
                Is),
        head_variables(Is, Head, Known)
    ;   Known = []
    ).

head_variables([], _, []).
head_variables([I|Is], Head, Known) :-
    arg(I, Head, Arg),
    (   var(Arg)
    ->  Known = [Arg|Rest]
    ;   Known = Rest
    ),
    head_variables(Is, Head, Rest).

%   A dynamic entry has no copy of its own: one is made that calls it.

entry_copy(Id, Home, Head, CopyName) :-
    (   pred(Id, _, _, _, dynamic)
    ->  functor(Head, _, Arity),
        clear_copy(Home, CopyName/Arity),
        renamed(Head, CopyName, CopyHead),
        event_char(1, Char),
        add_clause(Home:(CopyHead :-
                             elsewise_rt:dynamic_call(Home, Head, Char)))
    ;   true
    ).

%   The dump

dump(Entry, Options, Out) :-
    forall(pred(Id, Home, Name, Arity, Kind),
           dump_pred(Id, Home, Name, Arity, Kind, Out)),
    forall(dumped(Id, Event, Line, Head, Body),
           put_text(Out, clause(Id, Event, Line, Head, Body))),
    forall(( pred(Id, Home, Name, Arity, Kind), Kind \== undefined,
             mode(Id, Home, Name, Arity, Options, Entry, Modes, Det) ),
           put_text(Out, mode(Id, Modes, Det))),
    dump_imports(Out),
    forall(class(Name, Arity, Class),
           put_text(Out, class(Name, Arity, Class))),
    put_text(Out, entry(Entry)),
    put_text(Out, done).

dump_pred(Id, Home, Name, Arity, Kind, Out) :-
    functor(Head, Name, Arity),
    (   predicate_property(Home:Head, file(File0))
    ->  File = File0
    ;   File = ''
    ),
    (   predicate_property(Home:Head, line_count(Line0))
    ->  Line = Line0
    ;   Line = 0
    ),
    put_text(Out, pred(Id, Home, Name, Arity, Kind, File, Line)).

%   What a name means at run time, in each module that has copies.

dump_imports(Out) :-
    findall(Home, pred(_, Home, _, _, _), Homes0),
    sort([user|Homes0], Homes),
    forall(( '$member'(Module, Homes),
             pred(Id, Home, Name, Arity, Kind),
             may_see(Module, Home, Name, Arity),
             resolve(Module, Name, Arity, Meaning),
             means(Meaning, Home) ),
           ( put_text(Out, import(Module, Name, Arity, Id)),
             note_copy(Module, Id, Home, Name, Arity, Kind) )).

may_see(Module, Module, _, _) :- !.
may_see(_, user, _, _) :- !.
may_see(_, elsewise_prelude, _, _) :- !.
may_see(_, Home, Name, Arity) :-
    module_property(Home, exports(Exports)),
    memberchk(Name/Arity, Exports).

means(followed(Home), Home).
means(dynamic(Home), Home).
means(prelude, elsewise_prelude).

%   The quick way for call/N: a copy whose arguments need no module.

note_copy(Module, Id, Home, Name, Arity, Kind) :-
    (   ( Kind == static ; Kind == library ),
        \+ meta_spec(Module, Name, Arity, _)
    ->  pred_copy(Id, _, CopyName),
        assertz(elsewise_resolve:copied(Module, Name, Arity,
                                        copy(Home, CopyName)))
    ;   true
    ).
