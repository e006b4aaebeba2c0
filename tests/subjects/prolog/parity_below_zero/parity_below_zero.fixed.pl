% The repaired twin: the remainder says it.
%! parity(+N:between(-20, 20), -Parity:atom) is det.
parity(N, Parity) :- ( N mod 2 =:= 0 -> Parity = even ; Parity = odd ).
