%% Types with parameters and ranges: a lenient teacher gives one point more, but not to who lacks just one.
-module(grade_at_the_edge).
-export([grade/2]).

-type pair(T) :: {T, T}.
-type grade() :: good | fair | failed.

-spec grade(pair(0..50), strict | lenient) -> grade().
grade({Written, Spoken}, Teacher) -> grade(Written + Spoken, Teacher, bonus(Teacher)).

-ifdef(REPAIRED).
grade(Points, _, Bonus) when Points + Bonus >= 90 -> good;
grade(Points, _, Bonus) when Points + Bonus >= 60 -> fair;
grade(_, _, _) -> failed.
-else.
grade(Points, _, Bonus) when Points + Bonus >= 90 -> good;
grade(Points, _, _) when Points >= 60 -> fair;
grade(Points, _, Bonus) when Points + Bonus < 60 -> failed;
grade(_, Teacher, _) -> Teacher.
-endif.

bonus(strict) -> 0;
bonus(lenient) -> 1.
