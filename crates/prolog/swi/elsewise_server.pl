% The protocol: requests from stdin, answers and events to stdout.

:- module(elsewise_server, [serve/0]).

:- use_module(elsewise_source).        % first: it notes what is loaded
:- use_module(elsewise_write).
:- use_module(elsewise_rt).
:- use_module(elsewise_load).
:- use_module(elsewise_prelude).
:- use_module(elsewise_run).

:- initialization(serve, main).

serve :-
    stream_property(In, alias(user_input)),
    stream_property(Out, alias(user_output)),
    set_stream(In, encoding(utf8)),
    prepare(Out),
    set_event_stream(Out),
    % Filling SWI's own limit of 1 GB takes eight seconds.
    set_prolog_flag(stack_limit, 256_000_000),
    subject_streams,
    requests(In, Out).

prepare(Out) :-
    set_stream(Out, encoding(utf8)),
    set_stream(Out, newline(posix)),
    set_stream(Out, buffer(full)),
    set_stream(Out, buffer_size(65536)),
    set_stream(Out, tty(false)),
    set_stream(Out, record_position(false)).

requests(In, Out) :-
    catch(read_term(In, Request, []), Error, Request = unreadable(Error)),
    (   ( Request == quit ; Request == end_of_file )
    ->  flush_output(Out),
        real_halt
    ;   answer(Request, Out),
        flush_output(Out),
        requests(In, Out)
    ).

answer(Request, Out) :-
    catch(do(Request, Out), Error, failed(Error, Out)),
    !.
answer(_, Out) :-
    put_text(Out, error(internal, "the request failed")).

failed(refused(Kind, Text), Out) :-
    !,
    put_text(Out, error(Kind, Text)).
failed(Error, Out) :-
    format(string(Text), '~p', [Error]),
    put_text(Out, error(internal, Text)).

do(load(File, Name, Arity, Options), Out) :-
    load_program(File, Name, Arity, Options, Out).
do(run(Args, Limits), Out) :-
    run_plain(Args, Limits, Out),
    run_copy(Args, Limits, Out).
do(plain(Args, Limits), Out) :-
    run_plain(Args, Limits, Out).
do(unreadable(Error), _) :-
    throw(Error).
