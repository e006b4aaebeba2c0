% One run of the entry, plain or instrumented.

:- module(elsewise_run,
          [ run_plain/3,                % +Args, +Limits, +Out
            run_copy/3,                 % +Args, +Limits, +Out
            subject_streams/0,
            real_halt/0
          ]).

:- use_module(elsewise_load).
:- use_module(elsewise_resolve).
:- use_module(elsewise_rt).
:- use_module(elsewise_state).
:- use_module(elsewise_write).

%   The subject reads nothing and writes to nobody.

subject_streams :-
    open_null_stream(Null),
    set_stream(Null, encoding(utf8)),
    open_string("", Empty),
    set_stream(Null, alias(user_output)),
    set_stream(Null, alias(user_error)),
    set_stream(Empty, alias(user_input)),
    nb_setval(elsewise_streams, streams(Empty, Null)),
    current_streams.

current_streams :-
    nb_getval(elsewise_streams, streams(Empty, Null)),
    set_input(Empty),
    set_output(Null).

%   A subject that halts ends its run, not the server.

:- public halting/2.

halting(Status, Plain) :-
    (   nb_current(elsewise_running, true)
    ->  throw('$halt'(Status))
    ;   call(Plain)
    ).

:- '$wrap_predicate'(system:halt(Status), elsewise, _, Plain,
                     elsewise_run:halting(Status, Plain)).

real_halt :-
    halt(0).

%!  run_plain(+Args, +Limits, +Out) is det.

run_plain(Args, limits(Inferences, Solutions), Out) :-
    loaded_entry(Module, Name, _),
    Goal =.. [Name|Args],
    statistics(inferences, I0),
    get_time(T0),
    run(Module:Goal, Args, Inferences, Solutions, plain, Ends, Det),
    get_time(T1),
    statistics(inferences, I1),
    Used is I1-I0,
    Micros is round((T1-T0)*1000000),
    hung(Ends),
    nb_getval(elsewise_refused, Refused),
    nb_getval(elsewise_left, Left),
    put_ends(Out, plain, Ends),
    format(Out, ',~w,~w,~w,~w,~w).~n', [Det, Used, Micros, Refused, Left]).

run_copy(Args, limits(Inferences, Solutions), Out) :-
    loaded_entry(Module, _, CopyName),
    Goal =.. [CopyName|Args],
    copy_inferences(Inferences, More),
    run(Module:Goal, Args, More, Solutions, copy, Ends, _),
    put_char(Out, '\x01\'),
    put_ends(Out, end, Ends),
    write(Out, ').\n').

%   Of a run that does not end some of the copy is enough.

hung(Ends) :-
    (   '$member'("limit(inferences)", Ends)
    ->  nb_setval(elsewise_hung, true)
    ;   nb_setval(elsewise_hung, false)
    ).

copy_inferences(Inferences, More) :-
    (   nb_getval(elsewise_hung, true)
    ->  More is min(Inferences, 100_000)
    ;   More is Inferences*10
    ).

%   Ends are texts already.

put_ends(Out, Name, Ends) :-
    format(Out, '~w([', [Name]),
    put_list(Ends, Out),
    put_char(Out, ']').

put_list([], _).
put_list([End], Out) :-
    !,
    write(Out, End).
put_list([End|Ends], Out) :-
    write(Out, End),
    put_char(Out, ','),
    put_list(Ends, Out).

%!  run(:Goal, +Args, +Inferences, +Solutions, +Which, -Ends, -Det) is det.
%
%   Solutions are kept as text in the recorded database, which neither
%   backtracking, nor an exception, nor the end of the snapshot undoes.

run(Goal, Args, Inferences, Solutions, Which, Ends, Det) :-
    forget_ends,
    forget_changes,
    same_start,
    nb_setval(elsewise_det, det),
    nb_setval(elsewise_frames, []),
    nb_setval(elsewise_refused, false),
    nb_setval(elsewise_running, true),
    copy_term(Goal-Args, Goal1-Args1),
    catch(snapshot(elsewise_run:limited(Goal1, Args1, Inferences, Solutions,
                                        Which)),
          Ball,
          ended(Ball, Which, Goal, Inferences, Solutions)),
    nb_setval(elsewise_running, false),
    undo_changes(Left),
    nb_setval(elsewise_left, Left),
    current_streams,
    findall(End, recorded(elsewise_end, End), Ends),
    forget_ends,
    nb_getval(elsewise_det, Det).

%   What a snapshot does not undo: global variables, random numbers, and that a
%   predicate exists.

same_start :-
    (   uses_random
    ->  set_random(seed(1))             % a third of a millisecond
    ;   true
    ),
    forget_globals,
    forall(loaded_global(Key, Value), nb_setval(Key, Value)),
    forall(pred(_, Home, Name, Arity, undefined),
           undefine(Home, Name, Arity)).

forget_globals :-
    findall(Key, ( nb_current(Key, _), global_of_subject(Key) ), Keys),
    forall('$member'(Key, Keys), nb_delete(Key)).

undefine(Home, Name, Arity) :-
    functor(Head, Name, Arity),
    (   '$get_predicate_attribute'(Home:Head, (dynamic), 1)
    ->  '$set_predicate_attribute'(Home:Head, (dynamic), false)
    ;   true
    ).

forget_ends :-
    forall(recorded(elsewise_end, _, Ref), erase(Ref)).

limited(Goal, Args, Inferences, Solutions, Which) :-
    call_with_inference_limit(solutions(Goal, Args, Solutions, Which),
                              Inferences, Result),
    (   Result == inference_limit_exceeded
    ->  keep(limit(inferences))
    ;   true
    ).

solutions(Goal, Args, Solutions, Which) :-
    Count = count(0),
    call_cleanup(Goal, Det = true),
    (   Det == true
    ->  nb_setval(elsewise_det, det)
    ;   nb_setval(elsewise_det, nondet)
    ),
    (   Which == copy
    ->  emit('\x03\')
    ;   true
    ),
    keep(true(Args)),
    arg(1, Count, N0),
    N is N0+1,
    nb_setarg(1, Count, N),
    N >= Solutions,
    !.
solutions(_, _, _, _) :-
    keep(false).

keep(End) :-
    text(End, Text),
    recordz(elsewise_end, Text).

ended(error(resource_error(What), _), _, _, _, _) :-
    stack_limit(What),
    !,
    keep(limit(stack)).
ended(Ball, Which, Goal, Inferences, Solutions) :-
    (   Which == plain
    ->  nb_getval(elsewise_frames, Left),
        all_frames(Goal, Inferences, Solutions, Left, Frames0),
        located(Frames0, Frames)
    ;   Frames = []
    ),
    keep(exception(Ball, Frames)).

%   Last calls replace their callers, which then are in no stack: the same run
%   once more without that.

all_frames(Goal, Inferences, Solutions, Left, Frames) :-
    nb_setval(elsewise_running, false),
    undo_changes(_),
    nb_setval(elsewise_running, true),
    same_start,
    nb_setval(elsewise_frames, []),
    copy_term(Goal, Goal1),
    set_prolog_flag(last_call_optimisation, false),
    catch(snapshot(elsewise_run:alike(Goal1, Inferences, Solutions)), Ball, true),
    set_prolog_flag(last_call_optimisation, true),
    nb_getval(elsewise_frames, Found),
    (   ( Found == [] ; nonvar(Ball), Ball = error(resource_error(_), _) )
    ->  Frames = Left
    ;   Frames = Found
    ).

:- public alike/3.

alike(Goal, Inferences, Solutions) :-
    Count = count(0),
    call_with_inference_limit(so_many(Goal, Count, Solutions), Inferences, _).

so_many(Goal, Count, Solutions) :-
    call(Goal),
    arg(1, Count, N0),
    N is N0+1,
    nb_setarg(1, Count, N),
    N >= Solutions,
    !.
so_many(_, _, _).

%   Where an error came from, for people. The copies are not asked.

:- multifile user:prolog_exception_hook/4.
:- dynamic user:prolog_exception_hook/4.

user:prolog_exception_hook(error(Formal, Context), _, _, _) :-
    elsewise_run:refusal_in(Formal, Context),
    nb_current(elsewise_running, true),
    nb_setval(elsewise_refused, true),
    fail.
user:prolog_exception_hook(_, _, Frame, _) :-
    nb_current(elsewise_running, true),
    elsewise_run:user_frames(Frame, call, 200, Frames),
    Frames \== [],                      % else it is passed on by our own
    nb_setval(elsewise_frames, Frames),
    fail.

%   What the system refuses is an error of SWI-Prolog's, which the subject may
%   catch: it is noted when it is raised. Files say why in the context, sockets in
%   the error itself.

:- public refusal_in/2.

refusal_in(_, context(_, Why)) :-
    atom(Why),
    refusal(Why),
    !.
refusal_in(Formal, _) :-
    compound(Formal),
    arg(_, Formal, Why),
    atom(Why),
    refusal(Why),
    !.

refusal('Permission denied').
refusal('Operation not permitted').
refusal('Read-only file system').

user_frames(Frame, PC, N, Frames) :-
    (   N > 0,
        prolog_frame_attribute(Frame, parent, Parent)
    ->  (   user_frame(Frame, PC, At)
        ->  Frames = [At|More]
        ;   Frames = More
        ),
        N1 is N-1,
        (   prolog_frame_attribute(Frame, pc, Next)
        ->  true
        ;   Next = call
        ),
        user_frames(Parent, Next, N1, More)
    ;   Frames = []
    ).

user_frame(Frame, PC, in(Ref, PC, File, Name/Arity)) :-
    prolog_frame_attribute(Frame, clause, Ref),
    clause_property(Ref, file(File)),
    user_file(File),
    prolog_frame_attribute(Frame, predicate_indicator, PI),
    strip_module(PI, _, Name/Arity),
    \+ sub_atom(Name, 0, _, _, '$elsewise ').

%   Lines of goals, not of clauses, for the innermost frames: to find one takes
%   reading the clause again, so they are remembered.

:- dynamic line_of/3.                   % Ref, PC, Line

located(Frames, Located) :-
    located(Frames, 8, Located).

located([], _, []).
located([in(Ref, PC, File, PI)|Frames], N, [at(File, Line, PI)|Located]) :-
    (   N > 0,
        integer(PC),
        goal_line(Ref, PC, File, Found)
    ->  Line = Found
    ;   clause_property(Ref, line_count(Line))
    ->  true
    ;   Line = 0
    ),
    N1 is N-1,
    located(Frames, N1, Located).

goal_line(Ref, PC, _, Line) :-
    line_of(Ref, PC, Known),
    !,
    Line = Known.
goal_line(Ref, PC, File, Line) :-
    use_module(library(prolog_stack), []),
    catch(prolog_stack:prolog_stack_frame_property(frame(0, clause(Ref, PC), 0),
                                                   location(File:Line)),
          _, fail),
    !,
    assertz(line_of(Ref, PC, Line)).

stack_limit(stack).
stack_limit(stack_overflow).
stack_limit(private_table_space).
