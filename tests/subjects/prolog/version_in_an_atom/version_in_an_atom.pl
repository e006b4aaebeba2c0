% Parts of an atom that are no numbers.
:- use_module(library(apply)).

%! version(+Text:oneof(['1.2', '3', '4.x', '10.0.1']), -Version:list) is det.
version(Text, Version) :-
    atomic_list_concat(Parts, '.', Text),
    maplist(atom_number, Parts, Version).
