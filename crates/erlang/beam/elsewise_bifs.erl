%% Which functions the engine knows by itself, and which modules are instrumented as copies.
-module(elsewise_bifs).
-export([primitives/0, copied/1]).

%% Called as they are, without an event: the engine computes them.
-spec primitives() -> [mfa()].
primitives() ->
    [{erlang, F, 2} || F <- ['+', '-', '*', 'div', 'rem', '/', 'band', 'bor', 'bxor', 'bsl', 'bsr',
                             '==', '/=', '=<', '<', '>=', '>', '=:=', '=/=', min, max,
                             'and', 'or', 'xor', element, is_map_key, map_get, binary_part,
                             is_function, is_record, make_tuple]]
        ++ [{erlang, F, 1} || F <- ['+', '-', 'bnot', 'not', abs, trunc, round, float,
                                    hd, tl, tuple_size, byte_size, bit_size, map_size, size,
                                    is_atom, is_binary, is_bitstring, is_boolean, is_float,
                                    is_function, is_integer, is_list, is_map, is_number, is_pid,
                                    is_port, is_reference, is_tuple]]
        ++ [{erlang, F, 3} || F <- [setelement, binary_part, is_record, make_fun, raise]]
        ++ [{erlang, error, 1}, {erlang, error, 2}, {erlang, error, 3}, {erlang, exit, 1},
            {erlang, throw, 1}, {erlang, nif_error, 1}, {erlang, nif_error, 2}]
        ++ [{maps, get, 2}, {maps, find, 2}, {maps, put, 3}, {maps, remove, 2}, {maps, is_key, 2},
            {maps, update, 3}].

%% Modules whose functions only compute: what they decide is a decision of the subject's.
-spec copied(module()) -> boolean().
copied(M) ->
    lists:member(M, [lists, maps, string, proplists, orddict, ordsets, dict, sets, gb_trees,
                     gb_sets, queue, array, sofs, base64, filename,
                     calendar, uri_string,
                     'Elixir.Enum', 'Elixir.List', 'Elixir.Map', 'Elixir.Keyword',
                     'Elixir.Tuple', 'Elixir.Integer', 'Elixir.MapSet', 'Elixir.Range',
                     'Elixir.Access', 'Elixir.Kernel', 'Elixir.Enumerable',
                     'Elixir.Enumerable.List', 'Elixir.Enumerable.Map',
                     'Elixir.Enumerable.Range', 'Elixir.Enumerable.MapSet']).
