% Terms as text, in the one form that the engine reads: no operators, no
% spaces, quoted, variables as _1, _2, ...; one term a line.

:- module(elsewise_write,
          [ put_text/2,                 % +Stream, +Term
            text/2                      % +Term, -String
          ]).

%!  put_text(+Stream, +Term) is det.
%
%   Writes Term, a full stop and a newline. Attributes of variables are not
%   written, and the term is left as it was.

put_text(Stream, Term) :-
    (   acyclic_term(Term)
    ->  Finite = Term
    ;   without_cycles(Term, Finite)
    ),
    term_variables(Finite, Variables),
    names(Variables, 1, Names),
    write_term(Stream, Finite,
               [ quoted(true), ignore_ops(true), brace_terms(false),
                 attributes(ignore), blobs(portray), no_lists(false),
                 portray_goal(elsewise_write:put_blob),
                 variable_names(Names)
               ]),
    write(Stream, '.\n').

text(Term, Text) :-
    with_output_to(string(Line), ( current_output(Out), put_text(Out, Term) )),
    sub_string(Line, 0, _, 2, Text).

names([], _, []).
names([Variable|Variables], N, [Name=Variable|Names]) :-
    atom_concat('_', N, Name),
    N1 is N+1,
    names(Variables, N1, Names).

%   An argument that has no finite text is a blob as a whole.

without_cycles(Term, Finite) :-
    is_list(Term),
    !,
    parts(Term, Finite).
without_cycles(Term, Finite) :-
    compound(Term),
    compound_name_arity(Term, Name, 1),
    arg(1, Term, Part),
    is_list(Part),
    !,
    parts(Part, Parts),
    compound_name_arguments(Finite, Name, [Parts]).
without_cycles(_, '$blob'(cyclic)).

parts([], []).
parts([Part|Parts], [Finite|Finites]) :-
    (   acyclic_term(Part)
    ->  Finite = Part
    ;   Finite = '$blob'(cyclic)
    ),
    parts(Parts, Finites).

%   Streams, clause references and other blobs: as text nobody reads back.

put_blob(Blob, _Options) :-
    format(string(Text), '~w', [Blob]),
    atom_string(Atom, Text),
    writeq('$blob'(Atom)).
