% Modes and determinism: from --mode, `:- pred`, pldoc lines, `:- det`.

:- module(elsewise_modes,
          [ read_modes/1,               % +Text
            forget_modes/0,
            mode/8                      % +Id, +Home, +Name, +Arity, +Options,
                                        % +Entry, -Modes, -Det
          ]).

:- dynamic declared/4.                  % Name, Arity, Modes, Det

% For the mode lines, not for the program.
:- op(1150, fx, pred).
:- op(200, fy, ?).
:- op(200, fy, @).
:- op(200, fy, !).
:- op(200, fy, ++).
:- op(200, fy, --).
:- op(200, fy, :).

forget_modes :-
    retractall(declared(_, _, _, _)).

%!  read_modes(+Text) is det.
%
%   Takes the mode lines of pldoc comments from the text of a file: those
%   that start with %! or %%, until the full stop or the first empty line.

read_modes(Text) :-
    split_string(Text, "\n", "", Lines),
    mode_lines(Lines).

mode_lines([]).
mode_lines([Line|Lines]) :-
    (   mode_start(Line, Text)
    ->  more_lines(Lines, More, Rest),
        mode_texts([Text|More]),
        mode_lines(Rest)
    ;   pred_directive(Line, Text)
    ->  ( mode_text(Text) -> true ; true ),     % some tell types only
        mode_lines(Lines)
    ;   mode_lines(Lines)
    ).

mode_start(Line, Text) :-
    ( string_concat("%!", Text, Line) ; string_concat("%%", Text, Line) ),
    \+ string_concat("%", _, Text),
    !.

%   Several modes may stand below each other.

more_lines([Line|Lines], [Text|More], Rest) :-
    (   mode_start(Line, Text0)
    ;   string_concat("%", Text0, Line)
    ),
    split_string(Text0, "", " \t", [Text]),
    Text \== "",
    !,
    more_lines(Lines, More, Rest).
more_lines(Rest, [], Rest).

%   A line that is no mode ends them; one mode may go over several lines.

mode_texts([]).
mode_texts([Text|Texts]) :-
    (   mode_text(Text)
    ->  mode_texts(Texts)
    ;   Texts = [Next|Rest],
        string_concat(Text, " ", Text1),
        string_concat(Text1, Next, Joined),
        string_length(Joined, Length),
        Length < 300
    ->  mode_texts([Joined|Rest])
    ;   true
    ).

pred_directive(Line, Text) :-
    split_string(Line, "", " \t", [Line1]),
    string_concat(":-", Text0, Line1),
    split_string(Text0, "", " \t", [Text]),
    sub_string(Text, 0, 5, _, "pred "),
    !.

mode_text(Text) :-
    mode_of_text(Text, Name, Arity, Modes, Det),
    (   declared(Name, Arity, _, _)
    ->  true                            % the first is the one to use
    ;   assertz(declared(Name, Arity, Modes, Det))
    ).

%   name(Args)// is a nonterminal: two more arguments.

mode_of_text(Text, Name, Arity, Modes, Det) :-
    sub_string(Text, Before, 2, After, "//"),
    !,
    sub_string(Text, 0, Before, _, Left),
    sub_string(Text, _, After, 0, Right),
    string_concat(Left, Right, Plain),
    parsed(Plain, Term),
    mode_term(Term, Name, Arity0, Modes0, Det),
    append(Modes0, [m(?, list), m(?, any)], Modes),
    Arity is Arity0+2.
mode_of_text(Text, Name, Arity, Modes, Det) :-
    parsed(Text, Term),
    mode_term(Term, Name, Arity, Modes, Det).

parsed(Text0, Term) :-
    split_string(Text0, "", ". \t", [Text]),
    Text \== "",
    catch(term_string(Term, Text, [module(elsewise_modes), syntax_errors(error)]),
          _, fail),
    nonvar(Term).

mode_term((pred Term), Name, Arity, Modes, Det) :-
    !,
    nonvar(Term),
    mode_term(Term, Name, Arity, Modes, Det).
mode_term(Head is Det, Name, Arity, Modes, Det) :-
    !,
    known_det(Det),
    nonvar(Head),
    mode_head(Head, Name, Arity, Modes).
mode_term(Head, Name, Arity, Modes, unknown) :-
    compound(Head),
    mode_head(Head, Name, Arity, Modes),
    has_mode(Head).

known_det(Det) :-
    atom(Det),
    memberchk(Det, [det, semidet, multi, nondet, failure, undefined]).

%   Without a determinism, something must show that it is a mode at all.

has_mode(Head) :-
    arg(_, Head, Arg),
    nonvar(Arg),
    (   mode_sign(Arg, _, _)
    ;   Arg = Name:_,                   % +X:type is read as (+X):type
        nonvar(Name),
        mode_sign(Name, _, _)
    ;   memberchk(Arg, [+, -, ?])
    ),
    !.

mode_head(_:Head, Name, Arity, Modes) :-
    !,
    callable(Head),
    mode_head(Head, Name, Arity, Modes).
mode_head(Head, Name, Arity, Modes) :-
    callable(Head),
    arguments(Head, Name, Args),
    argument_modes(Args, Modes),
    length(Modes, Arity).

arguments(Head, Name, Args) :-
    (   atom(Head)
    ->  Name = Head,
        Args = []
    ;   compound_name_arguments(Head, Name, Args)
    ).

argument_modes([], []).
argument_modes([Arg|Args], [m(Mode, Type)|Modes]) :-
    argument_mode(Arg, Mode, Type),
    argument_modes(Args, Modes).

argument_mode(Arg, ?, any) :-
    var(Arg),
    !.
argument_mode(Arg, Mode, Type) :-
    mode_sign(Arg, Mode, Rest),
    !,
    argument_type(Rest, Type).
argument_mode(Name:Type, Mode, Type) :-
    nonvar(Type),
    !,
    (   nonvar(Name),
        mode_sign(Name, Mode0, _)
    ->  Mode = Mode0
    ;   Mode = (?)
    ).
argument_mode(+, +, any) :- !.
argument_mode(-, -, any) :- !.
argument_mode(?, ?, any) :- !.
argument_mode(Type, ?, Type).

mode_sign(+X, +, X).
mode_sign(++X, +, X).
mode_sign(-X, -, X).
mode_sign(--X, -, X).
mode_sign(?X, ?, X).
mode_sign(@X, +, X).
mode_sign(!X, +, X).
mode_sign(:X, +, X).

%   Name:Type as in pldoc, or the type alone as in `:- pred`.

argument_type(Rest, any) :-
    var(Rest),
    !.
argument_type(_:Type, Told) :-
    !,
    (   var(Type)
    ->  Told = any
    ;   Told = Type
    ).
argument_type(Type, Type).

%!  mode(+Id, +Home, +Name, +Arity, +Options, +Entry, -Modes, -Det) is semidet.

mode(Id, Home, Name, Arity, Options, Entry, Modes, Det) :-
    (   Id == Entry,
        option_mode(Options, Name, Arity, Modes0, Det0)
    ->  Modes = Modes0,
        ( Det0 == unknown -> declared_det(Home, Name, Arity, Det) ; Det = Det0 )
    ;   elsewise_resolve:user_module(Home),
        declared(Name, Arity, Modes0, Det0)
    ->  Modes = Modes0,
        ( Det0 == unknown -> declared_det(Home, Name, Arity, Det) ; Det = Det0 )
    ;   declared_det(Home, Name, Arity, det),
        Det = det,
        length(Modes, Arity),
        all_unknown(Modes)
    ).

option_mode(Options, Name, Arity, Modes, Det) :-
    memberchk(mode(Text), Options),
    (   mode_of_text(Text, Name, Arity, Modes, Det)
    ->  true
    ;   format(string(Message), 'the mode ~w is not one of ~q',
               [Text, Name/Arity]),
        throw(refused(mode, Message))
    ).

declared_det(Home, Name, Arity, Det) :-
    functor(Head, Name, Arity),
    (   predicate_property(Home:Head, det)
    ->  Det = det
    ;   declared(Name, Arity, _, Det0),
        Det0 \== unknown
    ->  Det = Det0
    ;   Det = unknown
    ).

all_unknown([]).
all_unknown([m(?, any)|Modes]) :-
    all_unknown(Modes).
