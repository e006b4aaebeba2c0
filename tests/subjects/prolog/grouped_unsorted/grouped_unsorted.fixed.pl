% The repaired twin: sorted before.
:- module(groups, [index/2]).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(library(pairs)).

%! index(+Keys:list(between(1, 2)), -Index) is det.
index(Keys, Index) :-
    length(Keys, N),
    numlist_or_none(N, Places),
    pairs_keys_values(Pairs, Keys, Places),
    keysort(Pairs, Sorted),
    group_pairs_by_key(Sorted, Groups),
    list_to_assoc(Groups, Index).

numlist_or_none(N, Places) :- findall(Place, between(1, N, Place), Places).
