% swipl run.pl [kept|server|prelude|speed] ...: exit status 1 on any failure.

:- initialization(main, main).

main :-
    current_prolog_flag(argv, Names0),
    (   Names0 == []
    ->  Names = [prelude, kept, server, speed]
    ;   Names = Names0
    ),
    findall(Name, ( member(Name, Names), \+ suite(Name) ), Failed),
    (   Failed == []
    ->  halt(0)
    ;   halt(1)
    ).

suite(Name) :-
    here(Directory),
    (   Name == kept
    ->  atom_concat(Directory, '/kept/*.pl', Pattern),
        expand_file_name(Pattern, Files),
        length(Files, Count),
        Count >= 30,
        findall(File, ( member(File, Files), \+ script(kept, [File]) ), Bad),
        format('kept: ~w programs, ~w differ~n', [Count, Bad]),
        Bad == []
    ;   script(Name, [])
    ).

script(Name, Arguments) :-
    here(Directory),
    format(atom(Script), '~w/~w.pl', [Directory, Name]),
    current_prolog_flag(executable, Swipl),
    append(['-f', none, '-q', Script, '--'], Arguments, All),
    process_create(Swipl, All, [process(Pid)]),
    process_wait(Pid, Status),
    Status == exit(0).

here(Directory) :-
    prolog_load_context(directory, Directory),
    !.
here(Directory) :-
    module_property(user, file(_)),
    fail
    ;
    source_file(main, File),
    file_directory_name(File, Directory).

:- use_module(library(process)).
:- use_module(library(lists)).
