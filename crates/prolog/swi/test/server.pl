% Sessions over the protocol, with a server as the engine starts it.

:- use_module(library(process)).
:- use_module(library(readutil)).
:- use_module(library(lists)).

:- initialization(main, main).

:- dynamic failed/1.

main :-
    forall(clause(test(Name), _), tried(Name)),
    aggregate_all(count, clause(test(_), _), All),
    aggregate_all(count, failed(_), Bad),
    format('server: ~w sessions, ~w fail~n', [All, Bad]),
    (   Bad =:= 0
    ->  halt(0)
    ;   halt(1)
    ).

tried(Name) :-
    (   catch(test(Name), Error, ( print_message(error, Error), fail ))
    ->  true
    ;   assertz(failed(Name)),
        format('~w fails~n', [Name])
    ).

%   A program that is loaded: what it tells, and the answers to requests.

session(Text, Requests, Answers) :-
    tmp_file_stream(File, Out, [extension(pl), encoding(utf8)]),
    write(Out, Text),
    close(Out),
    findall(Line, ( member(R, Requests), request(R, File, Line) ), Lines),
    talk(Lines, Answers).

request(load(Name, Arity, Options), File, Line) :-
    !,
    format(string(Line), '~q.~n', [load(File, Name, Arity, Options)]).
request(Request, _, Line) :-
    format(string(Line), '~q.~n', [Request]).

talk(Lines, Answers) :-
    source_file(main, Here),
    file_directory_name(Here, Directory),
    atom_concat(Directory, '/../elsewise_server.pl', Server),
    current_prolog_flag(executable, Swipl),
    process_create(Swipl, ['-f', none, '--no-packs', '-q', Server],
                   [stdin(pipe(In)), stdout(pipe(Out)), process(Pid)]),
    set_stream(In, encoding(utf8)),
    set_stream(Out, encoding(utf8)),
    forall(member(Line, Lines), write(In, Line)),
    write(In, 'quit.\n'),
    close(In),
    read_string(Out, _, Text),
    close(Out),
    process_wait(Pid, exit(0)),
    split_string(Text, "\n", "", Answers).

has(Answers, Part) :-
    member(Answer, Answers),
    sub_string(Answer, _, _, _, Part),
    !.

%   The events of a run as numbers; texts that follow some are left as codes.

events(Answers, Numbers) :-
    member(Line, Answers),
    sub_string(Line, At, 1, _, "\x01\"),
    !,
    sub_string(Line, 0, At, _, Events),
    string_codes(Events, Codes),
    findall(N, ( member(C, Codes), ( C >= 256 -> N is C-256 ; N = ctl(C) ) ),
            Numbers).

first_program("p(X, Y) :- X > 3, !, Y = big.\n\c
               p(X, Y) :- ( X =:= 0 -> Y = zero ; Y = small ).\n\c
               p(_, last).\n").

test(dump) :-
    first_program(Text),
    session(Text, [load(p, 2, [])], Answers),
    has(Answers, "pred(1,user,p,2,static,"),
    has(Answers, "clause(1,2,1,p(_1,_2),and(builtin(3,>(_1,3)),and(cut,builtin(4,=(_2,big)))))."),
    has(Answers, "clause(1,5,2,p(_1,_2),ite(builtin(6,=:=(_1,0)),builtin(7,=(_2,zero)),builtin(8,=(_2,small))))."),
    has(Answers, "clause(1,9,3,p(_1,last),true)."),
    has(Answers, "import(user,p,2,1)."),
    has(Answers, "class(=,2,builtin)."),
    has(Answers, "entry(1)."),
    member("done.", Answers).
test(cut_in_events) :-
    first_program(Text),
    session(Text, [load(p, 2, []), run([5, _], limits(1000, 5))], Answers),
    has(Answers, "plain([true([5,big]),false],det,"),
    events(Answers, [2, 3, 4, ctl(3)]),
    has(Answers, "end([true([5,big]),false]).").
test(all_solutions) :-
    first_program(Text),
    session(Text, [load(p, 2, []), run([1, _], limits(1000, 5))], Answers),
    has(Answers, "plain([true([1,small]),true([1,last]),false],det,"),
    events(Answers, [2, 5, 8, ctl(3), 9, ctl(3)]),
    has(Answers, "end([true([1,small]),true([1,last]),false]).").
test(first_solution) :-
    first_program(Text),
    session(Text, [load(p, _, []), run([1, _], limits(1000, 1))], Answers),
    has(Answers, "plain([true([1,small])],nondet,"),
    events(Answers, [2, 5, 8, ctl(3)]),
    has(Answers, "end([true([1,small])]).").
test(exception) :-
    first_program(Text),
    session(Text, [load(p, 2, []), run([a, _], limits(1000, 5))], Answers),
    has(Answers, "plain([exception(error(type_error(evaluable,/(a,0)),"),
    has(Answers, ",1,/(p,2))])],det,"),
    events(Answers, [2]),
    has(Answers, "end([exception(error(type_error(evaluable,/(a,0)),").
test(inference_limit) :-
    session("loop(X) :- loop(X).\n",
            [load(loop, 1, []), run([a], limits(100, 5))], Answers),
    has(Answers, "plain([limit(inferences)],"),
    has(Answers, "end([limit(inferences)])."),
    events(Answers, Numbers),
    length(Numbers, N),
    N > 20.                             % two inferences each
test(stack_limit) :-
    session("deep(X) :- deep(f(X)), true.\n",
            [load(deep, 1, []), plain([a], limits(1000000000, 1))], Answers),
    has(Answers, "plain([limit(stack)],").
test(syntax_error) :-
    session("p(a).\np(b :- c.\n", [load(p, 1, [])], Answers),
    has(Answers, "error(load,"),
    has(Answers, ".pl:2: syntax error: ").
test(no_such_predicate) :-
    session("p(a).\nq(b, c).\n", [load(r, 1, [])], Answers),
    has(Answers, "no predicate r/1; there are: [p/1,q/2]").
test(tabling_refused) :-
    session(":- table p/1.\np(a).\n", [load(p, 1, [])], Answers),
    has(Answers, "error(tabled,").
test(tabling_refused_below) :-
    session(":- table p/1.\np(a).\nq(X) :- p(X).\n", [load(q, 1, [])], Answers),
    has(Answers, "error(tabled,").
test(no_file) :-
    talk(["load('/nonexistent/x.pl',p,1,[]).\n"], Answers),
    has(Answers, "error(file,").
test(opaque_answers) :-
    session("p(X) :- atom_concat(X, _, ab).\n",
            [load(p, 1, []), run([_], limits(1000, 9))], Answers),
    has(Answers, "opaque(3,:(user,atom_concat(_1,_2,ab)))"),
    has(Answers, "[a,b,ab]."),
    has(Answers, "det([ab,'',ab]).").
test(once_fails) :-
    session("p(X) :- atom_length(X, 2).\np(_).\n",
            [load(p, 1, []), run([abc], limits(1000, 1))], Answers),
    events(Answers, [2, ctl(2), 4, ctl(3)]).
test(caught_ball) :-
    session("p(X) :- catch(q, X, true).\nq :- throw(t(1)).\n",
            [load(p, 1, []), run([_], limits(1000, 1))], Answers),
    has(Answers, "\x04\"),
    has(Answers, "t(1)."),
    has(Answers, "end([true([t(1)])]).").
test(facts_are_restored) :-
    session(":- dynamic n/1.\nn(0).\np(X) :- retract(n(X)), Y is X+1, assertz(n(Y)).\n",
            [load(p, 1, []), run([_], limits(1000, 1)), run([_], limits(1000, 1))],
            Answers),
    findall(A, ( member(A, Answers), sub_string(A, _, _, _, "true([0])") ), Four),
    length(Four, 4).
test(modes) :-
    session("%!  p(+X:list(integer), -Y) is det.\np(X, X).\n",
            [load(p, 2, [])], Answers),
    has(Answers, "mode(1,[m(+,list(integer)),m(-,any)],det).").
test(mode_option) :-
    session("%!  p(+X:list(integer), -Y) is det.\np(X, X).\n",
            [load(p, 2, [mode('p(?,+)')])], Answers),
    has(Answers, "mode(1,[m(?,any),m(+,any)],det).").
test(pred_directive) :-
    session(":- pred p(+integer, -list) is semidet.\np(X, [X]).\n",
            [load(p, 2, [])], Answers),
    has(Answers, "mode(1,[m(+,integer),m(-,list)],semidet).").
test(halts) :-
    session("p(X) :- X == 1, halt(3).\np(_).\n",
            [load(p, 1, []), run([1], limits(1000, 1)), run([2], limits(1000, 1))],
            Answers),
    has(Answers, "exception('$halt'(3),"),
    has(Answers, "end([true([2])]).").
test(output_is_silent) :-
    session("p(X) :- writeln(hello), format(user_error, \"x\", []), read(X).\n",
            [load(p, 1, []), run([_], limits(1000, 1))], Answers),
    \+ has(Answers, "hello\n"),
    has(Answers, "silent(:(user,writeln(hello)))"),
    has(Answers, "end([true([end_of_file])]).").
test(strange_terms) :-
    session("p({a}). p('$VAR'(1)). p(\"s\\n\"). p('a\\nb'). p(- 1). p(0.1). p(X-X). p([a|_]).\n",
            [load(p, 1, []), plain([_], limits(1000, 20))], Answers),
    has(Answers, "true([{}(a)]),true(['$VAR'(1)]),true([\"s\\n\"]),true(['a\\nb']),true([-(1)]),true([0.1]),true([-(_1,_1)]),true([[a|_1]]),false]").
test(blob_and_cycle) :-
    session("p(X) :- current_output(X).\np(X) :- X = f(X).\n",
            [load(p, 1, []), plain([_], limits(1000, 20))], Answers),
    has(Answers, "true(['$blob'('<stream>(0x"),
    has(Answers, "true(['$blob'(cyclic)])").
test(no_clauses) :-
    session(":- discontiguous q/1.\np(X) :- q(X).\np(z).\n",
            [load(p, 1, []), run([_], limits(1000, 20))], Answers),
    has(Answers, "end([true([z]),false]).").
test(undefined) :-
    session("p(X) :- q(X).\n", [load(p, 1, []), run([a], limits(1000, 1))], Answers),
    has(Answers, "pred(2,user,q,1,undefined,"),
    has(Answers, "plain([exception(error(existence_error(procedure,/(q,1)),"),
    has(Answers, "end([exception(error(existence_error(procedure,/(q,1)),").
test(initialization_main) :-
    session(":- initialization(main).\nmain :- p(1), halt.\np(_).\n",
            [load(p, 1, []), run([1], limits(1000, 1))], Answers),
    has(Answers, "end([true([1])]).").
test(rules) :-
    session("p(f(X), Y), X > 1 => Y = big.\np(a, Y) => Y = atom.\n",
            [load(p, 2, []), run([a, _], limits(1000, 9)), run([b, _], limits(1000, 9)),
             run([f(2), _], limits(1000, 9))], Answers),
    has(Answers, "clause(1,2,1,p(f(_1),_2),ssu(builtin(3,>(_1,1)),builtin(4,=(_2,big))))."),
    has(Answers, "clause(1,5,2,p(a,_1),ssu(true,builtin(6,=(_1,atom))))."),
    events(Answers, [5, 6, ctl(3)]),
    has(Answers, "end([true([a,atom]),false])."),
    has(Answers, "end([exception(error(existence_error(matching_rule,p(b,_1)),"),
    has(Answers, "end([true([f(2),big]),false]).").
