%% A type that contains itself: nothing says that there is anything in a group, and nothing has no maximum.
-module(empty_group).
-export([widest/1]).

-type shape() :: {circle, pos_integer()} | {box, pos_integer(), pos_integer()} | {group, [shape()]}.

-spec widest(shape()) -> non_neg_integer().
-ifdef(REPAIRED).
widest({circle, Radius}) -> 2 * Radius;
widest({box, Width, _}) -> Width;
widest({group, Shapes}) -> lists:max([0 | [widest(Shape) || Shape <- Shapes]]).
-else.
widest({circle, Radius}) -> 2 * Radius;
widest({box, Width, _}) -> Width;
widest({group, Shapes}) -> lists:max([widest(Shape) || Shape <- Shapes]). % fails here
-endif.
