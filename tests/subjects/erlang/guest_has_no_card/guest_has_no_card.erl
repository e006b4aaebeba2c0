%% Whoever comes often has a card; a guest who does is taken for a member all the same.
-module(guest_has_no_card).
-export([points/1]).

-record(member, {card :: 1..9999, points = 0 :: non_neg_integer()}).
-record(visit, {who :: #member{} | guest, times :: non_neg_integer()}).

-spec points(#visit{}) -> non_neg_integer().
-ifdef(REPAIRED).
points(#visit{who = guest}) -> 0;
points(#visit{who = Who, times = Times}) when Times > 3 -> Who#member.points + 1;
points(#visit{who = #member{points = Points}}) -> Points;
points(#visit{}) -> 0.
-else.
points(#visit{who = Who, times = Times}) when Times > 3 -> Who#member.points + 1; % fails here
points(#visit{who = #member{points = Points}}) -> Points;
points(#visit{}) -> 0.
-endif.
