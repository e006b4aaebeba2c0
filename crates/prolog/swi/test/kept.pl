% One program: its goals, in lines that start with %?, must do the same on plain
% and on instrumented code: answers, their order and number, determinism,
% output, errors, and the dynamic facts that are left.

:- use_module('../elsewise_source').
:- use_module('../elsewise_write').
:- use_module('../elsewise_rt').
:- use_module('../elsewise_load').
:- use_module('../elsewise_prelude').
:- use_module('../elsewise_resolve').
:- use_module('../elsewise_run').

:- initialization(main, main).

main :-
    current_prolog_flag(argv, [File]),
    open_null_stream(Null),
    set_event_stream(Null),
    goals(File, Goals),
    Goals \== [],
    findall(Goal, ( '$member'(Goal, Goals), \+ same(File, Goal) ), Bad),
    (   Bad == []
    ->  halt(0)
    ;   halt(1)
    ).

goals(File, Goals) :-
    open(File, read, In),
    findall(Goal, goal_line(In, Goal), Goals),
    close(In).

goal_line(In, Goal) :-
    repeat,
    read_line_to_string(In, Line),
    (   Line == end_of_file
    ->  !,
        fail
    ;   string_concat("%? ", Text, Line),
        term_to_atom(Goal, Text)
    ).

same(File, Goal) :-
    functor(Goal, Name, Arity),
    open_null_stream(Null),
    (   catch(load_program(File, Name, Arity, [], Null), Error, true)
    ->  true
    ;   Error = failed
    ),
    (   nonvar(Error)
    ->  format(user_error, '~w: ~q: ~q~n', [File, Goal, Error]),
        fail
    ;   loaded_entry(Module, Name, CopyName),
        Goal =.. [Name|Args],
        Copy =.. [CopyName|Args],
        done(Module:Goal, Args, Plain),
        done(Module:Copy, Args, Instrumented),
        (   Plain =@= Instrumented
        ->  true
        ;   format(user_error, '~w: ~q~n  plain        ~q~n  instrumented ~q~n',
                   [File, Goal, Plain, Instrumented]),
            fail
        )
    ).

done(Goal, Args, did(Ends, Output, Facts)) :-
    copy_term(Goal-Args, Goal1-Args1),
    with_output_to(string(Output),
                   snapshot(( findall(End, ended(Goal1, Args1, End), Ends),
                              facts(Facts) ))).

%   60 answers are enough of those that have no end.

ended(Goal, Args, End) :-
    Count = count(0),
    catch(( call_cleanup(Goal, Det = true),
            ( Det == true -> D = det ; D = nondet ),
            text(Args, Text),
            End = true(Text, D),
            arg(1, Count, N),
            N1 is N+1,
            nb_setarg(1, Count, N1),
            ( N1 >= 60 -> ! ; true )
          ;  End = false ),
          Ball,
          End = Told),
    told(Ball, Told).

told(Ball, _) :- var(Ball), !.
told(error(Formal, _), raised(error(Text))) :- !, text(Formal, Text).
told(Ball, raised(Text)) :- text(Ball, Text).

facts(Facts) :-
    findall(Text,
            ( current_module(Module),
              user_module(Module),
              current_predicate(Module:Name/Arity),
              \+ sub_atom(Name, 0, _, _, $),
              functor(Head, Name, Arity),
              predicate_property(Module:Head, dynamic),
              predicate_property(Module:Head, file(File)),
              user_file(File),
              \+ predicate_property(Module:Head, imported_from(_)),
              clause(Module:Head, Body),
              text((Head:-Body), Text) ),
            Facts).
