% The repaired twin: both throw the same.
%! register(+Name:atom, +Age:integer, -Result) is det.
register(Name, Age, Result) :-
    catch(( check(Age), Result = registered(Name, Age) ),
          invalid(_),
          Result = refused).

check(Age) :- Age > 150, !, throw(invalid(Age)).
check(Age) :- Age < 0, !, throw(invalid(Age)).
check(_).
