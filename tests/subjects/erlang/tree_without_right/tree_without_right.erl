%% Trees as inputs: who leaves a place in the tree is followed by the smallest on the right, where nobody
%% may be.
-module(tree_without_right).
-export([delete/2]).

-type tree() :: leaf | {node, tree(), integer(), tree()}.

-spec delete(integer(), tree()) -> tree().
-ifdef(REPAIRED).
delete(_, leaf) -> leaf;
delete(X, {node, Left, Y, Right}) when X < Y -> {node, delete(X, Left), Y, Right};
delete(X, {node, Left, Y, Right}) when X > Y -> {node, Left, Y, delete(X, Right)};
delete(_, {node, leaf, _, Right}) -> Right;
delete(_, {node, Left, _, leaf}) -> Left;
delete(_, {node, Left, _, Right}) ->
    {Next, Rest} = smallest(Right),
    {node, Left, Next, Rest}.
-else.
delete(_, leaf) -> leaf;
delete(X, {node, Left, Y, Right}) when X < Y -> {node, delete(X, Left), Y, Right};
delete(X, {node, Left, Y, Right}) when X > Y -> {node, Left, Y, delete(X, Right)};
delete(_, {node, leaf, _, Right}) -> Right;
delete(_, {node, Left, _, Right}) ->
    {Next, Rest} = smallest(Right),
    {node, Left, Next, Rest}.
-endif.

smallest({node, leaf, X, Right}) -> {X, Right}; % fails here
smallest({node, Left, X, Right}) ->
    {Smallest, Rest} = smallest(Left),
    {Smallest, {node, Rest, X, Right}}.
