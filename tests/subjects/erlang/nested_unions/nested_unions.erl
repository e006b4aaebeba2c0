%% A union in each member of a union: which of the inner ones a part is depends on the outer one.
-module(nested_unions).
-export([cost/1]).

-type order() :: {kept, {near, 0..9} | {shelf, 0..9}} | {sent, {post, 0..9} | {far, 0..9}}.

-spec cost(order()) -> integer().
cost({kept, {near, _}}) -> 0;
cost({kept, {shelf, Days}}) -> Days;
cost({sent, {post, Weight}}) -> 2 * Weight;
cost({sent, {far, Weight}}) -> far(Weight).

-ifdef(REPAIRED).
far(0) -> 0;
far(Weight) -> 90 div Weight.
-else.
far(Weight) -> 90 div Weight. % fails here
-endif.
