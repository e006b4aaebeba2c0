% Checks what is expected of the subjects of Prolog, on the plain programs: the witness fails in the bug as
% said and where it is marked, and not in the twin, which does not fail on many small inputs either.
% `swipl truth.pl [-- FILE...]`; without files, all subjects.

:- module(truth, []).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(main)).
:- use_module(library(unix)).
:- use_module(truth/expected).
:- use_module(truth/outcomes).
:- use_module(truth/small).

:- initialization(main, main).

main(Args) :-
    (   Args == []
    ->  subjects(Files)
    ;   maplist([Arg, File]>>absolute_file_name(Arg, File), Args, Files)
    ),
    foldl(checked, Files, 0, Wrong),
    length(Files, N),
    format("~d subjects, ~d wrong~n", [N, Wrong]),
    (   Wrong =:= 0
    ->  true
    ;   halt(1)
    ).

subjects(Files) :-
    module_property(truth, file(Script)),
    file_directory_name(Script, Folder),
    atom_concat(Folder, '/../subjects/prolog/*/*.pl', Pattern),
    expand_file_name(Pattern, All),
    exclude(is_twin, All, Found),
    maplist([File, Whole]>>absolute_file_name(File, Whole), Found, Files).

is_twin(File) :- sub_atom(File, _, _, 0, '.fixed.pl').

checked(File, N0, N) :-
    file_name_extension(Stem, pl, File),
    atom_concat(Stem, '.fixed.pl', Twin),
    apart(File, bug_is_wrong, File, Bug),
    apart(File, twin_is_wrong, Twin, Repaired),
    N is N0 + Bug + Repaired.

%  In a process of its own: twins have the names of their bugs.
apart(File, Check, Loaded, Wrong) :-
    flush_output,
    fork(Child),
    (   Child == child
    ->  told(File, Check, Loaded, Wrong),
        halt(Wrong)
    ;   wait(Child, exited(Wrong))
    ).

told(File, Check, Loaded, Wrong) :-
    catch(findall(Line, wrong(File, Check, Loaded, Line), Lines), Error, Lines = [Error]),
    file_base_name(File, Base),
    forall(member(Line, Lines), format("~w: ~p~n", [Base, Line])),
    length(Lines, Wrong).

%  What is not as expected, one answer for each.
wrong(File, Check, Loaded, Line) :-
    expectation(File, Expectation),
    loaded(Loaded, Module, Mode, Said),
    (   member(Line, Said)
    ;   call(Check, Expectation, Loaded, Module, Mode, Line)
    ).

loaded(File, Module, Mode, Said) :-
    mode(File, Mode),
    nb_setval(truth_said, []),
    load_files(user:File, []),
    nb_getval(truth_said, Said),
    (   module_property(Module, file(File))
    ->  true
    ;   Module = user
    ).

%  What SWI warns of while a subject is loaded would not be part of its bug.
:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.
user:message_hook(Term, Kind, _) :-
    memberchk(Kind, [warning, error]),
    nb_current(truth_said, Old),
    nb_setval(truth_said, ['is loaded with'(Term)|Old]).

bug_is_wrong(Expectation, File, Module, Mode, Line) :-
    (   witness(Expectation, Args),
        outcome(File, Module, Mode, Args, Outcome),
        \+ expected(Expectation, Outcome),
        Line = 'the witness gives'(Outcome)
    ;   plainest(Mode, Args),
        outcome(File, Module, Mode, Args, Outcome),
        Outcome \== good,
        Line = 'the plainest input fails'(Args, Outcome)
    ;   limit(3, ( small(Mode, Expectation, Args),
                   outcome(File, Module, Mode, Args, Outcome),
                   Outcome \== good,
                   \+ expected(Expectation, Outcome) )),
        Line = 'the bug as well'(Args, Outcome)
    ).

twin_is_wrong(Expectation, File, Module, Mode, Line) :-
    (   witness(Expectation, Args),
        outcome(File, Module, Mode, Args, Outcome),
        Outcome \== good,
        Line = 'the twin gives'(Outcome)
    ;   limit(3, ( small(Mode, Expectation, Args),
                   outcome(File, Module, Mode, Args, Outcome),
                   Outcome \== good )),
        Line = 'the twin as well'(Args, Outcome)
    ).

%  The kind, the ball and the line are those that are expected.
expected(Expectation, raised(Kind, Ball, Line)) :-
    !,
    kind(Expectation, Kind),
    ball(Expectation, Pattern),
    subsumes_term(Pattern, Ball),
    lines(Expectation, Lines),
    memberchk(Line, Lines).
expected(Expectation, Kind) :-
    kind(Expectation, Kind).
