% An empty atom has no first character.
:- module(names, [initials/3]).

%! initials(+First:oneof([ada, bo]), +Last:oneof([byron, '', derek]), -Initials:atom) is det.
initials(First, Last, Initials) :-
    initial(First, F),
    initial(Last, L),
    atom_concat(F, L, Initials).

initial(Name, Initial) :-
    sub_atom(Name, 0, 1, _, Letter),
    upcase_atom(Letter, Initial).
