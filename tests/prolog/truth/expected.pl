% What is expected of a subject: the `expect.toml` beside it, the lines that are marked, its mode.
:- module(expected, [expectation/2, kind/2, ball/2, lines/2, witness/2, mode/2]).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(readutil)).

%  expectation(Pairs, Lines): what is said, by name, and the lines that are marked.
expectation(File, expectation(Pairs, Marked)) :-
    text(File, Lines),
    file_directory_name(File, Folder),
    atom_concat(Folder, '/expect.toml', Expected),
    text(Expected, Said),
    findall(Name-Value, ( member(Line, Said), said(Line, Name, Value) ), Pairs),
    findall(Number, ( nth1(Number, Lines, Line), marked(Line) ), Marked),
    same_entry(Pairs).

text(File, Lines) :-
    read_file_to_string(File, Text, []),
    split_string(Text, "\n", "", Lines).

%  `kind = "failed"`; text is in quotes of either sort.
said(Said, Name, Value) :-
    once(sub_string(Said, Before, _, After, " = ")),
    sub_atom(Said, 0, Before, _, Name),
    sub_string(Said, _, After, 0, Quoted),
    string_length(Quoted, Length),
    Inner is Length - 2,
    sub_atom(Quoted, 1, Inner, 1, Value).

marked(Line) :- sub_string(Line, _, _, 0, " fails here"), !.
marked(Line) :- sub_string(Line, _, _, 0, " or here").

kind(expectation(Pairs, _), Kind) :- memberchk(kind-Kind, Pairs).

%  Without one, any will do.
ball(expectation(Pairs, _), Ball) :-
    (   memberchk(ball-Text, Pairs)
    ->  term_to_atom(Ball, Text)
    ;   true
    ).

lines(expectation(_, Lines), Lines).

witness(expectation(Pairs, _), Args) :-
    memberchk(witness-Text, Pairs),
    term_to_atom(Goal, Text),
    Goal =.. [_|Args].

same_entry(Pairs) :-
    memberchk(entry-Entry, Pairs),
    memberchk(witness-Witness, Pairs),
    term_to_atom(Goal, Witness),
    functor(Goal, Name, Arity),
    (   term_to_atom(Name/Arity, Entry)
    ->  true
    ;   throw('the witness is of another'(Entry))
    ).

%  mode(Name, Args, Det): of the first line that says one; an argument is in(Type) or out.
mode(File, mode(Name, Args, Det)) :-
    text(File, Lines),
    (   member(Line, Lines),
        string_concat("%! ", Text, Line)
    ->  term_string(is(Head, Det), Text),
        Head =.. [Name|Given],
        maplist(argument, Given, Args)
    ;   throw('says no mode'(File))
    ).

%  Whether the sign binds closer than the colon depends on who reads it.
argument(+Argument, in(Type)) :- !, typed(Argument, Type).
argument((+Name):Type, in(Type)) :- !, var(Name).
argument(-_, out) :- !.
argument((-_):_, out) :- !.
argument(Other, _) :- throw('says no mode'(Other)).

typed(Argument, Type) :- ( nonvar(Argument), Argument = _:Said -> Type = Said ; Type = any ).
