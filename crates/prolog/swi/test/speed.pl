% The cost of events: 10,000 of them in at most 0.1 s more than the plain run.

:- use_module('../elsewise_source').
:- use_module('../elsewise_rt').
:- use_module('../elsewise_load').
:- use_module('../elsewise_prelude').

:- initialization(main, main).

main :-
    tmp_file_stream(File, Program, [extension(pl)]),
    write(Program, 'down(0) :- !.\ndown(N) :- M is N-1, down(M).\n'),
    close(Program),
    tmp_file_stream(Events, Out, [encoding(utf8)]),
    set_stream(Out, record_position(false)),
    set_event_stream(Out),
    open_null_stream(Null),
    load_program(File, down, 1, [], Null),
    loaded_entry(Module, Name, Copy),
    seconds(Module:Name, Plain),
    seconds(Module:Copy, Instrumented),
    close(Out),
    count_events(Events, Count),
    PerTenThousand is (Instrumented-Plain)/Count*10_000,
    format('speed: ~w events, ~4f s for 10,000 of them~n', [Count, PerTenThousand]),
    (   Count >= 200_000,
        PerTenThousand =< 0.1
    ->  halt(0)
    ;   halt(1)
    ).

seconds(Module:Name, Seconds) :-
    Goal =.. [Name, 100_000],
    statistics(cputime, T0),
    call(Module:Goal),
    statistics(cputime, T1),
    Seconds is T1-T0.

count_events(File, Count) :-
    open(File, read, In, [encoding(utf8)]),
    read_string(In, Count, _),
    close(In).
