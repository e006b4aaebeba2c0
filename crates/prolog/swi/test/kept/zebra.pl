% A puzzle with lists.

%? owner(X)

owner(X) :- zebra(Hs, X), length(Hs, 3).
zebra(Hs, O) :- Hs = [h(_,_,_),h(_,_,_),h(_,_,_)], member(h(red,english,_), Hs), member(h(_,spanish,dog), Hs),
  right(h(green,_,_), h(red,_,_), Hs), member(h(blue,_,snail), Hs), member(h(_,japanese,_), Hs), member(h(_,O,zebra), Hs).
right(A, B, [B,A|_]).
right(A, B, [_|T]) :- right(A, B, T).
