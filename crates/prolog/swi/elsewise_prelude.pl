% Built-ins that are loops, told again in Prolog, so that they can be followed.
% What they do, errors included, is what SWI's own do: test/prelude.pl compares.

:- module(elsewise_prelude, [stands_for/3]).

%!  stands_for(?Name, ?Arity, ?Home)
%
%   The predicate Home:Name/Arity of SWI that one here stands for.

stands_for(between, 3, system).
stands_for(length, 2, system).
stands_for('$skip_list', 3, system).
stands_for('$seek_list', 4, system).
stands_for('$btree_find_node', 5, system).
stands_for(memberchk, 2, lists).
stands_for(memberchk, 2, system).
stands_for(arg, 3, system).
stands_for(repeat, 0, system).
stands_for(msort, 2, system).
stands_for(sort, 2, system).
stands_for(sort, 4, system).
stands_for(keysort, 2, system).
stands_for(findall, 4, system).
stands_for(bagof, 3, system).
stands_for(setof, 3, system).
stands_for(aggregate_all, 3, aggregate).
stands_for(phrase, 2, system).
stands_for(phrase, 3, system).
stands_for(assertion, 1, prolog_debug).

:- forall(( stands_for(Name, Arity, system), functor(Head, Name, Arity) ),
          redefine_system_predicate(Head)).

%   Errors

unbound :-
    throw(error(instantiation_error, _)).

wrong_type(Type, Value) :-
    throw(error(type_error(Type, Value), _)).

an_integer(X) :-
    (   integer(X)
    ->  true
    ;   var(X)
    ->  unbound
    ;   wrong_type(integer, X)
    ).

%   Numbers

between(Low, High, X) :-
    an_integer(Low),
    upper_bound(High),
    (   var(X)
    ->  from_to(Low, High, X)
    ;   an_integer(X),
        X >= Low,
        below(X, High)
    ).

upper_bound(High) :-
    (   High == inf
    ->  true
    ;   High == infinite
    ->  true
    ;   an_integer(High)
    ).

below(X, High) :-
    (   integer(High)
    ->  X =< High
    ;   true
    ).

from_to(Low, High, X) :-
    (   integer(High)
    ->  Low =< High,
        count_up(Low, High, X)
    ;   count_on(Low, X)
    ).

count_up(High, High, X) :-
    !,
    X = High.
count_up(Low, _, Low).
count_up(Low, High, X) :-
    Next is Low+1,
    count_up(Next, High, X).

count_on(Low, Low).
count_on(Low, X) :-
    Next is Low+1,
    count_on(Next, X).

repeat.
repeat :-
    repeat.

%   Lists

'$skip_list'(Length, List, Tail) :-
    skip(List, 0, Length, Tail).

skip(List, N0, N, Tail) :-
    nonvar(List),
    List = [_|Rest],
    !,
    N1 is N0+1,
    skip(Rest, N1, N, Tail).
skip(Tail, N, N, Tail).

length(List, Length) :-
    var(Length),
    !,
    skip(List, 0, N, Tail),
    (   Tail == []
    ->  Length = N
    ;   var(Tail)
    ->  Tail \== Length,
        longer(Tail, N, Length)
    ;   wrong_type(list, List)
    ).
length(List, Length) :-
    integer(Length),
    !,
    (   Length < 0
    ->  throw(error(domain_error(not_less_than_zero, Length), _))
    ;   true
    ),
    skip(List, 0, N, Tail),
    (   Tail == []
    ->  Length =:= N
    ;   var(Tail)
    ->  Length >= N,
        Missing is Length-N,
        unbound_list(Missing, Tail)
    ;   wrong_type(list, List)
    ).
length(_, Length) :-
    wrong_type(integer, Length).

longer([], N, N).
longer([_|Tail], N, Length) :-
    N1 is N+1,
    longer(Tail, N1, Length).

unbound_list(0, List) :-
    !,
    List = [].
unbound_list(N, [_|List]) :-
    N1 is N-1,
    unbound_list(N1, List).

memberchk(X, List) :-
    in_list(List, X).

in_list(List, X) :-
    (   var(List)
    ->  List = [X|_]
    ;   List = [Y|Ys]
    ->  (   X = Y
        ->  true
        ;   in_list(Ys, X)
        )
    ;   List == []
    ->  fail
    ;   wrong_type(list, List)
    ).

%   SWI's own goes on as far as it can; who calls it goes on from anywhere.

'$seek_list'(Index, List, Index, List).

%   The node of a binary tree that has the key, or would have it below. Where
%   the key and the two branches stand is packed into a number.

'$btree_find_node'(Key, Tree, Places, Node, Order) :-
    KeyAt is Places>>16 /\ 255,
    LeftAt is Places>>8 /\ 255,
    RightAt is Places /\ 255,
    (   compound(Tree),
        functor(Tree, Name, Arity),
        Arity+1 >= max(KeyAt, max(LeftAt, RightAt))     % as SWI has it
    ->  true
    ;   var(Tree)
    ->  unbound
    ;   wrong_type(btree, Tree)
    ),
    find_node(Key, Tree, at(KeyAt, LeftAt, RightAt, Name, Arity), Node, Order).

find_node(Key, Tree, At, Node, Order) :-
    At = at(KeyAt, _, _, _, _),
    tree_arg(KeyAt, Tree, Here),
    compare(Found, Key, Here),
    find_below(Found, Key, Tree, At, Node, Order).

find_below(=, _, Tree, _, Tree, =).
find_below(<, Key, Tree, At, Node, Order) :-
    At = at(_, LeftAt, _, _, _),
    tree_arg(LeftAt, Tree, Left),
    find_in(Left, <, Key, Tree, At, Node, Order).
find_below(>, Key, Tree, At, Node, Order) :-
    At = at(_, _, RightAt, _, _),
    tree_arg(RightAt, Tree, Right),
    find_in(Right, >, Key, Tree, At, Node, Order).

tree_arg(At, Tree, Arg) :-
    (   system:arg(At, Tree, Arg0)
    ->  Arg = Arg0
    ;   wrong_type(btree, Tree)
    ).

find_in(Branch, Side, Key, Tree, At, Node, Order) :-
    At = at(_, _, _, Name, Arity),
    (   compound(Branch),
        functor(Branch, Name, Arity)
    ->  find_node(Key, Branch, At, Node, Order)
    ;   Node = Tree,
        Order = Side
    ).

%   Terms

arg(N, Term, Arg) :-
    var(N),
    compound(Term),
    !,
    functor(Term, _, Arity),
    Arity > 0,
    some_arg(1, Arity, N, Term, Arg).
arg(N, Term, _) :-
    var(N),
    !,
    (   var(Term)
    ->  unbound
    ;   wrong_type(compound, Term)
    ).
arg(N, Term, Arg) :-
    system:arg(N, Term, Arg).

some_arg(Arity, Arity, N, Term, Arg) :-
    !,
    system:arg(Arity, Term, Arg),
    N = Arity.
some_arg(I, _, I, Term, Arg) :-
    system:arg(I, Term, Arg).
some_arg(I, Arity, N, Term, Arg) :-
    Next is I+1,
    some_arg(Next, Arity, N, Term, Arg).

%   Sorting: merge sort on keys that are taken out first.

msort(List, Sorted) :-
    proper_list(List),
    sorted(List, 0, @=<, Sorted).

sort(List, Sorted) :-
    proper_list(List),
    sorted(List, 0, @<, Sorted).

keysort(List, Sorted) :-
    proper_list(List),
    pairs(List),
    sorted(List, 1, @=<, Sorted).

sort(Key, Order0, List, Sorted) :-
    (   integer(Key)
    ->  sort_key(Key),
        sort_order(Order0, Order),
        proper_list(List),
        sorted(List, Key, Order, Sorted)
    ;   elsewise_rt:sort_plain(Key, Order0, List, Sorted)    % key of dicts
    ).

proper_list(List) :-
    skip(List, 0, _, Tail),
    (   Tail == []
    ->  true
    ;   var(Tail)
    ->  unbound
    ;   wrong_type(list, List)
    ).

pairs([]).
pairs([Pair|Pairs]) :-
    (   nonvar(Pair),
        Pair = _-_
    ->  true
    ;   var(Pair)
    ->  unbound
    ;   wrong_type(pair, Pair)
    ),
    pairs(Pairs).

sort_key(Key) :-
    (   Key < 0
    ->  throw(error(domain_error(not_less_than_one, Key), _))
    ;   true
    ).

sort_order(Order0, Order) :-
    (   var(Order0)
    ->  unbound
    ;   order(Order0, Order1)
    ->  Order = Order1
    ;   atom(Order0)
    ->  throw(error(domain_error(order, Order0), _))
    ;   wrong_type(atom, Order0)
    ).

order(@<, @<).
order(@=<, @=<).
order(@>, @>).
order(@>=, @>=).
order(<, @<).
order(=<, @=<).
order(>, @>).
order(>=, @>=).

sorted(List, Key, Order, Sorted) :-
    keyed(List, Key, Keyed),
    skip(Keyed, 0, N, _),
    sort_n(N, Keyed, _, Order, KeySorted),
    unkeyed(KeySorted, Sorted).

keyed([], _, []).
keyed([X|Xs], Key, [k(K, X)|Ks]) :-
    key_of(Key, X, K),
    keyed(Xs, Key, Ks).

key_of(Key, X, K) :-
    (   Key =:= 0
    ->  K = X
    ;   var(X)
    ->  unbound
    ;   compound(X)
    ->  (   system:arg(Key, X, K)
        ->  true
        ;   throw(error(existence_error(argument, Key, X), _))
        )
    ;   wrong_type(compound, X)
    ).

unkeyed([], []).
unkeyed([k(_, X)|Ks], [X|Xs]) :-
    unkeyed(Ks, Xs).

sort_n(0, List, List, _, []) :-
    !.
sort_n(1, [X|Rest], Rest, _, [X]) :-
    !.
sort_n(N, List, Rest, Order, Sorted) :-
    Half is N//2,
    Other is N-Half,
    sort_n(Half, List, Middle, Order, Left),
    sort_n(Other, Middle, Rest, Order, Right),
    merge(Left, Right, Order, Sorted).

merge([], Right, _, Right) :-
    !.
merge(Left, [], _, Left) :-
    !.
merge([k(K1, X1)|Left], [k(K2, X2)|Right], Order, Sorted) :-
    compare(C, K1, K2),
    takes(C, Order, Side),
    merge(Side, k(K1, X1), k(K2, X2), Left, Right, Order, Sorted).

merge(left, X, Y, Left, Right, Order, [X|Sorted]) :-
    merge(Left, [Y|Right], Order, Sorted).
merge(right, X, Y, Left, Right, Order, [Y|Sorted]) :-
    merge([X|Left], Right, Order, Sorted).
merge(both, X, _, Left, Right, Order, Sorted) :-
    merge([X|Left], Right, Order, Sorted).

%   By the first argument only one clause of each is left: no choice points.

takes(<, Order, Side) :- takes_less(Order, Side).
takes(=, Order, Side) :- takes_equal(Order, Side).
takes(>, Order, Side) :- takes_greater(Order, Side).

takes_less(@<, left).
takes_less(@=<, left).
takes_less(@>, right).
takes_less(@>=, right).

takes_equal(@<, both).
takes_equal(@=<, left).
takes_equal(@>, both).
takes_equal(@>=, left).

takes_greater(@<, right).
takes_greater(@=<, right).
takes_greater(@>, left).
takes_greater(@>=, left).

%   All solutions

findall(Template, Goal, List, Tail) :-
    findall(Template, Goal, Found),
    joined(Found, Tail, List).

joined([], Tail, Tail).
joined([X|Xs], Tail, [X|Ys]) :-
    joined(Xs, Tail, Ys).

bagof(Template, Goal, List) :-
    free_variables(Goal, Template, Plain, Free),
    (   Free == []
    ->  findall(Template, Plain, List),
        List \== []
    ;   findall(Free-Template, Plain, Answers),
        share_variables(Answers, _),
        keysort(Answers, Sorted),
        groups(Sorted, Free, List)
    ).

setof(Template, Goal, Set) :-
    free_variables(Goal, Template, Plain, Free),
    (   Free == []
    ->  findall(Template, Plain, Answers),
        Answers \== [],
        sort(Answers, Set)
    ;   findall(Free-Template, Plain, Answers),
        share_variables(Answers, _),
        sort(Answers, Sorted),
        groups(Sorted, Free, List),
        sort(List, Set)
    ).

%   What ^ does not bind, and what is not in the template, is free.

free_variables(Goal, Template, Plain, Free) :-
    quantified(Goal, Template, Plain, Bound),
    term_variables(Plain, All),
    term_variables(Bound, NotFree),
    without(All, NotFree, Free).

quantified(Goal, Bound0, Plain, Bound) :-
    (   var(Goal)
    ->  Plain = Goal,
        Bound = Bound0
    ;   Goal = V^Inner
    ->  quantified(Inner, V-Bound0, Plain, Bound)
    ;   Goal = M:Inner
    ->  quantified(Inner, Bound0, Plain0, Bound),
        Plain = M:Plain0
    ;   Plain = Goal,
        Bound = Bound0
    ).

without([], _, []).
without([V|Vs], Not, Free) :-
    (   identical_in(Not, V)
    ->  Free = Rest
    ;   Free = [V|Rest]
    ),
    without(Vs, Not, Rest).

identical_in([X|Xs], Y) :-
    (   X == Y
    ->  true
    ;   identical_in(Xs, Y)
    ).

%   Keys that differ by the names of their variables only become equal.

share_variables([], _).
share_variables([Key-_|Answers], Shared) :-
    term_variables(Key, Variables),
    prefix_of(Variables, Shared),
    share_variables(Answers, Shared).

prefix_of([], _).
prefix_of([V|Vs], [V|Shared]) :-
    prefix_of(Vs, Shared).

groups([Key-X|Answers], Free, List) :-
    same_key(Answers, Key, Xs, Others),
    (   Others == []
    ->  Free = Key,
        List = [X|Xs]
    ;   group(Others, Key, [X|Xs], Free, List)
    ).

group(_, Key, List, Key, List).
group(Others, _, _, Free, List) :-
    groups(Others, Free, List).

same_key([Key1-X|Answers], Key, [X|Xs], Others) :-
    Key1 == Key,
    !,
    same_key(Answers, Key, Xs, Others).
same_key(Others, _, [], Others).

aggregate_all(What, Goal, Result) :-
    (   var(What)
    ->  unbound
    ;   simple_aggregate(What, Result)
    ->  aggregate(What, Goal, Result)
    ;   elsewise_rt:aggregate_plain(What, Goal, Result)
    ).

simple_aggregate(count, _).
simple_aggregate(sum(_), _).
simple_aggregate(bag(_), _).
simple_aggregate(set(_), _).
simple_aggregate(max(_), _).
simple_aggregate(min(_), _).
simple_aggregate(max(_, _), Result) :- \+ Result \= max(_, _).
simple_aggregate(min(_, _), Result) :- \+ Result \= min(_, _).

aggregate(count, Goal, Count) :-
    findall(x, Goal, Xs),
    skip(Xs, 0, Count, _).
aggregate(sum(X), Goal, Sum) :-
    findall(X, Goal, Xs),
    sum(Xs, 0, Sum).
aggregate(bag(X), Goal, Bag) :-
    findall(X, Goal, Bag).
aggregate(set(X), Goal, Set) :-
    findall(X, Goal, Bag),
    sort(Bag, Set).
aggregate(max(X), Goal, Max) :-
    findall(X, Goal, Xs),
    (   Xs = [First|_]
    ->  greatest(Xs, First, Max)
    ;   Max = X,
        nonvar(Max)
    ).
aggregate(min(X), Goal, Min) :-
    findall(X, Goal, Xs),
    (   Xs = [First|_]
    ->  least(Xs, First, Min)
    ;   Min = X,
        nonvar(Min)
    ).
aggregate(max(X, W), Goal, max(Max, Witness)) :-
    findall(X-W, Goal, [First|Pairs]),
    a_number(First),
    greatest_pair(Pairs, First, Max-Witness).
aggregate(min(X, W), Goal, min(Min, Witness)) :-
    findall(X-W, Goal, [First|Pairs]),
    a_number(First),
    least_pair(Pairs, First, Min-Witness).

a_number(X-_) :-
    (   number(X)
    ->  true
    ;   wrong_type(number, X)
    ).

sum([], Sum, Sum).
sum([X|Xs], Sum0, Sum) :-
    Sum1 is Sum0+X,
    sum(Xs, Sum1, Sum).

greatest([], Max, Max).
greatest([X|Xs], Max0, Max) :-
    Max1 is max(Max0, X),
    greatest(Xs, Max1, Max).

least([], Min, Min).
least([X|Xs], Min0, Min) :-
    Min1 is min(Min0, X),
    least(Xs, Min1, Min).

greatest_pair([], Best, Best).
greatest_pair([X-W|Pairs], X0-W0, Best) :-
    (   X > X0
    ->  greatest_pair(Pairs, X-W, Best)
    ;   greatest_pair(Pairs, X0-W0, Best)
    ).

least_pair([], Best, Best).
least_pair([X-W|Pairs], X0-W0, Best) :-
    (   X < X0
    ->  least_pair(Pairs, X-W, Best)
    ;   least_pair(Pairs, X0-W0, Best)
    ).

%   Grammars

phrase(Rule, List) :-
    phrase(Rule, List, []).

phrase(Rule, List, Rest) :-
    grammar_list(List),
    grammar_list(Rest),
    (   grammar_control(Rule, Module, Body)
    ->  elsewise_rt:grammar_goal(Body, S0, S, Goal),
        List = S0,
        Rest = S,
        call(Module:Goal)
    ;   call(Rule, List, Rest)
    ).

grammar_list(List) :-
    (   var(List)
    ->  true
    ;   List = [_|_]
    ->  true
    ;   List == []
    ->  true
    ;   wrong_type(list, List)
    ).

%   The module is there: phrase/2,3 are meta-predicates.

grammar_control(Module:Rule, Module, Rule) :-
    nonvar(Rule),
    (   string(Rule)
    ->  true
    ;   grammar_special(Rule)
    ->  true
    ).

grammar_special((_,_)).
grammar_special((_;_)).
grammar_special((_|_)).
grammar_special((_->_)).
grammar_special(!).
grammar_special({_}).
grammar_special([]).
grammar_special([_|_]).
grammar_special(\+_).

%   Assertions

assertion(Goal) :-
    (   \+ \+ catch(Goal, Error, elsewise_prelude:assertion_raised(Error, Goal))
    ->  true
    ;   throw(error(assertion_error(fail, Goal), _))
    ).

assertion_raised(Error, Goal) :-
    (   passed_on(Error)
    ->  throw(Error)
    ;   throw(error(assertion_error(Error, Goal), _))
    ).

passed_on(time_limit_exceeded).
passed_on('$aborted').
