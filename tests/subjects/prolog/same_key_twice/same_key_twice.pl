% Keys are taken for unique, and an error says that they are not.
:- use_module(library(assoc)).
:- use_module(library(lists)).
:- use_module(library(pairs)).

%! index(+Keys:list(between(1, 3)), -Index) is det.
index(Keys, Index) :-
    numbered(Keys, 1, Pairs),
    list_to_assoc(Pairs, Index). % fails here

numbered([], _, []).
numbered([Key|Keys], Place, [Key-Place|Pairs]) :-
    Next is Place + 1,
    numbered(Keys, Next, Pairs).
