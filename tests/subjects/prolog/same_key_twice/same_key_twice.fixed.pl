% The repaired twin: of the same key only the first pair is kept.
:- use_module(library(assoc)).
:- use_module(library(lists)).
:- use_module(library(pairs)).

%! index(+Keys:list(between(1, 3)), -Index) is det.
index(Keys, Index) :-
    numbered(Keys, 1, Pairs),
    sort(1, @<, Pairs, Unique),
    list_to_assoc(Unique, Index).

numbered([], _, []).
numbered([Key|Keys], Place, [Key-Place|Pairs]) :-
    Next is Place + 1,
    numbered(Keys, Next, Pairs).
