% The repaired twin: what is no number is kept as it is.
:- use_module(library(apply)).

%! version(+Text:oneof(['1.2', '3', '4.x', '10.0.1']), -Version:list) is det.
version(Text, Version) :-
    atomic_list_concat(Parts, '.', Text),
    maplist(part, Parts, Version).

part(Part, N) :- atom_number(Part, N), !.
part(Part, Part).
