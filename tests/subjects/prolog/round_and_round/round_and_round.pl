% A circle in the graph: no search of it ends that does not know where it has been.
%! route(+From:oneof([a, b, c, d]), +To:oneof([a, b, c, d])) is semidet.
route(From, To) :-
    connected(From, To),
    !.

connected(Place, Place).
connected(From, To) :-
    road(From, Next),
    connected(Next, To).

road(a, b).
road(b, c).
road(c, d).
road(d, c).
