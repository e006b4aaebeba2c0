%% Recursive work, to measure what instrumentation costs.
-module(work).
-export([nrev/1, fib/1, msort/1, queens/1, tree/1, maps/1]).

nrev(N) -> nrev_times(200, lists:seq(1, N)).
nrev_times(0, L) -> length(L);
nrev_times(K, L) -> _ = rev(L), nrev_times(K - 1, L).
rev([H | T]) -> app(rev(T), [H]);
rev([]) -> [].
app([H | T], L) -> [H | app(T, L)];
app([], L) -> L.

fib(0) -> 0;
fib(1) -> 1;
fib(N) -> fib(N - 1) + fib(N - 2).

msort(N) -> length(sort(numbers(N, 42))).
numbers(0, _) -> [];
numbers(N, X) -> [X rem 1000 | numbers(N - 1, (X * 1103515245 + 12345) rem 2147483648)].
sort([]) -> [];
sort([X]) -> [X];
sort(L) -> {A, B} = halves(L, [], []), merge(sort(A), sort(B)).
halves([], A, B) -> {A, B};
halves([X | T], A, B) -> halves(T, [X | B], A).
merge([], B) -> B;
merge(A, []) -> A;
merge([X | A], [Y | _] = B) when X =< Y -> [X | merge(A, B)];
merge(A, [Y | B]) -> [Y | merge(A, B)].

queens(N) -> length(place(N, N)).
place(_, 0) -> [[]];
place(N, K) -> [[Q | Qs] || Qs <- place(N, K - 1), Q <- lists:seq(1, N), safe(Q, 1, Qs)].
safe(_, _, []) -> true;
safe(Q, D, [H | T]) -> Q =/= H andalso Q =/= H + D andalso Q =/= H - D andalso safe(Q, D + 1, T).

tree(N) -> size(insert_all(numbers(N, 7), leaf), 0).
insert_all([], T) -> T;
insert_all([X | Xs], T) -> insert_all(Xs, insert(X, T)).
insert(X, leaf) -> {leaf, X, leaf};
insert(X, {L, Y, R}) when X < Y -> {insert(X, L), Y, R};
insert(X, {L, Y, R}) when X > Y -> {L, Y, insert(X, R)};
insert(_, T) -> T.
size(leaf, N) -> N;
size({L, _, R}, N) -> size(L, size(R, N + 1)).

maps(N) -> maps:size(lists:foldl(fun(X, M) -> maps:update_with(X rem 50, fun(C) -> C + 1 end, 1, M) end,
                                 #{}, lists:seq(1, N))).
