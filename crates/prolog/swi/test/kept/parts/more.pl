% Text that test/kept/files.pl includes.

included(1).
included(X) :- area(square(2), X).
