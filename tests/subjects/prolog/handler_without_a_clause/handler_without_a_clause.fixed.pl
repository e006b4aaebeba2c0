% The repaired twin: the handler knows all.
%! job(+Load:integer, -Status:atom) is det.
job(Load, Status) :-
    catch(run(Load, Status), Ball, handled(Ball, Status)).

run(Load, _) :- Load > 100, !, throw(too_much(Load)).
run(0, _) :- !, throw(nothing_to_do).
run(Load, _) :- Load < -50, !, throw(broken(Load)).
run(_, done).

handled(too_much(_), later).
handled(nothing_to_do, idle).
handled(broken(_), failed).
