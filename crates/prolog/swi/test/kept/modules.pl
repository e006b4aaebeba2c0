% Modules and meta-predicates.

%? t(X)
%? u(X)
%? w(X)
%? q(X)

:- module(kept_modules, [t/1]).
:- use_module(library(lists)).
:- meta_predicate each(1, ?), outer(1, ?).
t(X) :- each(own, X).
t(X) :- maplist(pair, [1,2], X).
u(X) :- lists:append(X, [c], [b,c]).
u(X) :- G = own(X), kept_modules:G.
u(X) :- kept_modules:own(X).
w(X) :- outer(own, X).
q(G) :- seen(own, G).
:- meta_predicate seen(1, ?).
seen(G, G).
each(G, X) :- call(G, X).
outer(G, X) :- each(G, X).
outer(G, M) :- G = M:_.
own(1). own(2).
pair(X, X-X).
