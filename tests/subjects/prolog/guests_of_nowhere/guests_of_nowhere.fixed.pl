% The repaired twin: findall.
:- module(guests, [guests/2]).

%! guests(+Town:oneof([oslo, rome, bern, riga]), -Names:list(atom)) is det.
guests(Town, Names) :-
    findall(Name, guest(Name, Town), Names).

guest(ann, oslo).
guest(bob, rome).
guest(cid, oslo).
guest(dee, riga).
