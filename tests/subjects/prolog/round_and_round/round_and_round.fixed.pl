% The repaired twin: places that were visited are not visited again.
%! route(+From:oneof([a, b, c, d]), +To:oneof([a, b, c, d])) is semidet.
route(From, To) :-
    connected(From, To, [From]),
    !.

connected(Place, Place, _).
connected(From, To, Visited) :-
    road(From, Next),
    \+ memberchk(Next, Visited),
    connected(Next, To, [Next|Visited]).

road(a, b).
road(b, c).
road(c, d).
road(d, c).
