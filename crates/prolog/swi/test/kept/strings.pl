% Atoms and strings, which nobody follows.

%? s1(X)
%? s2(X)
%? s3(X,Y)
%? s4(X)
%? s5(X)
%? s6(X)
%? s7(X)

s1(X) :- atom_codes(abc, L), length(L, X).
s2(X) :- atom_concat(X, _, abc).
s3(X, Y) :- atom_concat(X, Y, ab).
s4(X) :- sub_atom(hello, B, 2, _, X), B > 1.
s5(X) :- atomic_list_concat(Parts, ',', 'a,b,c'), member(X, Parts).
s6(X) :- split_string("a b c", " ", "", X).
s7(X) :- atom_length(L, X), L = 3.
s7(X) :- atom_number('12', X).
s7(X) :- upcase_atom(hello, X).
