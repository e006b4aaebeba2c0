% Terms that are hard to write.

%? t(X)
%? u('$VAR'(1))
%? ops(X)
%? braces(X)
%? '0-x'(X)
%? dollar(X)

:- op(700, xfx, ===>).
:- op(200, xfy, **).
t({a,b}). t('$VAR'(1)). t("str"). t('a b\n'). t([]). t('[]'). t(- 1). t(-1). t(1.5e300). t(0'a). t(-(-(1))). t((:- a)).
u(X) :- X = '$VAR'(N), integer(N).
ops(a ===> b). ops((x :- y, z ; w -> v)). ops(\+ a). ops(- a). ops(1 - 2 - 3).
braces(X) :- {X} = {y}.
'0-x'(X) :- X = 'hello world'.
dollar(X) :- X = $, ( X == ($) -> true ).
