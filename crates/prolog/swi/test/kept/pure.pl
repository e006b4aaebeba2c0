% Pure clauses.

%? app([1,2],[3],X)
%? app(X,Y,[1,2,3])
%? app(X,[3],Y)
%? rev([1,2,3],X)
%? perm([a,b,c],X)
%? path(a,X)

app([], Ys, Ys).
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
rev(Xs, Ys) :- rev(Xs, [], Ys).
rev([], Ys, Ys).
rev([X|Xs], Ys, Zs) :- rev(Xs, [X|Ys], Zs).
perm([], []).
perm(Xs, [X|Ys]) :- sel(X, Xs, Zs), perm(Zs, Ys).
sel(X, [X|Xs], Xs).
sel(X, [Y|Xs], [Y|Ys]) :- sel(X, Xs, Ys).
edge(a, b). edge(b, c). edge(c, d). edge(a, d).
path(X, Y) :- edge(X, Y).
path(X, Z) :- edge(X, Y), path(Y, Z).
