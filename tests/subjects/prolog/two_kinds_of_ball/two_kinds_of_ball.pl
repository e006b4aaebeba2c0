% Two checks that throw, of two minds about what is thrown; one handler.
%! register(+Name:atom, +Age:integer, -Result) is det.
register(Name, Age, Result) :-
    catch(( check(Age), Result = registered(Name, Age) ),
          invalid(_),
          Result = refused).

check(Age) :- Age > 150, !, throw(invalid(Age)).
check(Age) :- Age < 0, !, throw(invalid(age, Age)). % fails here
check(_).
