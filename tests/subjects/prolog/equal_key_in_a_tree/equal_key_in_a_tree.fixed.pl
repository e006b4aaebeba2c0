% The repaired twin: equal is thought of, too.
:- module(tree, [tree/2]).
:- use_module(library(apply)).

%! tree(+Keys:list(integer), -Tree) is det.
tree(Keys, Tree) :- foldl(insert, Keys, nil, Tree).

insert(Key, Tree0, Tree) :- inserted(Tree0, Key, Tree).

inserted(nil, Key, t(nil, Key, nil)).
inserted(t(Left, Root, Right), Key, Tree) :-
    compare(Order, Key, Root),
    beside(Order, Key, Left, Root, Right, Tree).

beside(<, Key, Left, Root, Right, t(New, Root, Right)) :- inserted(Left, Key, New).
beside(=, _, Left, Root, Right, t(Left, Root, Right)).
beside(>, Key, Left, Root, Right, t(Left, Root, New)) :- inserted(Right, Key, New).
