% The repaired twin: the age is marked.
%! members(+Most:integer, -Names:list(atom)) is det.
members(Most, Names) :-
    \+ young_enough(_, Most, _),
    !,
    Names = [].
members(Most, Names) :-
    setof(Name, Age^young_enough(Name, Most, Age), Names).

young_enough(Name, Most, Age) :-
    member_of_club(Name, Age),
    Age =< Most.

member_of_club(ann, 34).
member_of_club(bob, 71).
member_of_club(cid, 34).
