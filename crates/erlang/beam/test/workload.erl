%% Calls of stdlib as programs make them. A call is given modules by a function, which says whether
%% the plain one or its instrumented copy is meant.
-module(workload).
-export([calls/0, call/4]).

calls() ->
    [{M, fun(R) -> call(R, M, F, Args) end, {F, Args}} || {M, F, Args} <- plain()]
        ++ [{M, Fun, N} || {M, N, Fun} <- scripts()].

%% Some functions of a module are BIFs, which a copy does not have: instrumented code calls them by
%% way of the table.
call(R, M, F, Args) ->
    case R(M) of
        M -> apply(M, F, Args);
        _ -> elsewise_rt:c(M, F, Args)
    end.

plain() ->
    Words = ["pear", "apple", "fig", "apple", "banana"],
    Pairs = [{b, 2}, {a, 1}, {c, 3}, {a, 4}],
    Text = "The quick  brown fox, jumps\tover the lazy dog",
    Add = fun(X, Y) -> X + Y end,
    Even = fun(X) -> X rem 2 =:= 0 end,
    [{lists, F, [Words]} || F <- [sort, usort, reverse, last, max, min, droplast, concat, append]]
        ++ [{lists, keysort, [1, Pairs]}, {lists, ukeysort, [1, Pairs]}, {lists, keyfind, [a, 1, Pairs]},
            {lists, keydelete, [a, 1, Pairs]}, {lists, keyreplace, [a, 1, Pairs, {a, 9}]},
            {lists, keystore, [z, 1, Pairs, {z, 9}]}, {lists, keytake, [c, 1, Pairs]},
            {lists, keymerge, [1, [{a, 1}], [{b, 2}]]}, {lists, keymap, [fun({X, Y}) -> X + Y end, 2, []]},
            {lists, foldl, [Add, 0, [1, 2, 3]]}, {lists, foldr, [Add, 0, [1, 2, 3]]},
            {lists, foldl, [Add, 0, [1, a]]}, {lists, map, [Even, [1, 2]]}, {lists, map, [Even, [x]]},
            {lists, filter, [Even, [1, 2, 3, 4]]}, {lists, filter, [fun(X) -> X end, [1]]},
            {lists, partition, [Even, [1, 2, 3, 4]]}, {lists, splitwith, [Even, [2, 4, 5, 6]]},
            {lists, takewhile, [Even, [2, 3]]}, {lists, dropwhile, [Even, [2, 3]]},
            {lists, zip, [[1, 2], [a, b]]}, {lists, zip, [[1], []]}, {lists, unzip, [Pairs]},
            {lists, zip3, [[1], [2], [3]]}, {lists, unzip3, [[{1, 2, 3}]]},
            {lists, zipwith, [Add, [1], [2]]}, {lists, flatten, [[1, [2, [3, []]], 4]]},
            {lists, flatten, [[a | b]]}, {lists, flatlength, [[1, [2, [3]]]]}, {lists, seq, [1, 10]},
            {lists, seq, [10, 1, -3]}, {lists, seq, [5, 1]}, {lists, sublist, [Words, 2]},
            {lists, sublist, [Words, 2, 2]}, {lists, nth, [2, Words]}, {lists, nth, [9, Words]},
            {lists, nthtail, [2, Words]}, {lists, prefix, ["ap", "apple"]}, {lists, suffix, ["le", "apple"]},
            {lists, sum, [[1, 2.5]]}, {lists, duplicate, [3, x]}, {lists, delete, ["fig", Words]},
            {lists, subtract, [Words, ["apple"]]}, {lists, join, [x, [1, 2, 3]]}, {lists, merge, [[1, 3], [2]]},
            {lists, merge, [[[1, 4], [2], [3]]]}, {lists, umerge, [[1, 3], [1, 2]]},
            {lists, sort, [fun(A, B) -> A >= B end, [3, 1, 2]]}, {lists, all, [Even, [2, 3]]},
            {lists, any, [Even, [2, 3]]}, {lists, mapfoldl, [fun(X, A) -> {X * 2, A + X} end, 0, [1, 2]]},
            {lists, mapfoldr, [fun(X, A) -> {X * 2, A + X} end, 0, [1, 2]]}, {lists, filtermap,
             [fun(X) -> X > 1 andalso {true, {X}} end, [1, 2]]}, {lists, search, [Even, [1, 2]]},
            {lists, split, [2, Words]}, {lists, split, [9, Words]}, {lists, uniq, [Words]},
            {lists, sort, [[N * 7919 rem 1009 || N <- lists:seq(1, 400)]]}]
        ++ [{maps, F, [#{a => 1, b => [2]}]} || F <- [to_list, keys, values, size]]
        ++ [{maps, fold, [fun(K, V, A) -> [{K, V} | A] end, [], #{a => 1, b => 2}]},
            {maps, map, [fun(_, V) -> V + 1 end, #{a => 1}]}, {maps, filter, [fun(_, V) -> V > 1 end, #{a => 1, b => 2}]},
            {maps, with, [[a], #{a => 1, b => 2}]}, {maps, without, [[a], #{a => 1, b => 2}]},
            {maps, get, [z, #{}, none]}, {maps, get, [z, #{}]}, {maps, update_with, [a, fun(X) -> -X end, #{a => 1}]},
            {maps, update_with, [b, fun(X) -> -X end, 7, #{a => 1}]}, {maps, merge_with, [fun(_, A, B) -> {A, B} end, #{a => 1}, #{a => 2}]},
            {maps, intersect, [#{a => 1, b => 2}, #{b => 3}]}, {maps, groups_from_list, [Even, [1, 2, 3]]},
            {maps, find, [a, #{a => 1}]}, {maps, take, [a, #{a => 1}]}, {maps, filtermap, [fun(_, V) -> {true, V * 2} end, #{a => 1}]}]
        ++ [{string, F, [Text]} || F <- [length, uppercase, lowercase, titlecase, trim, reverse, to_graphemes, casefold]]
        ++ [{string, lexemes, [Text, " ,\t"]}, {string, split, [Text, " "]}, {string, split, [Text, " ", all]},
            {string, tokens, [Text, " "]}, {string, find, [Text, "fox"]}, {string, replace, [Text, "o", "0", all]},
            {string, slice, [Text, 4, 5]}, {string, prefix, [Text, "The"]}, {string, pad, ["x", 5, leading]},
            {string, pad, ["x", 5, both, $-]}, {string, equal, ["Abc", "aBC", true]}, {string, to_integer, ["12ab"]},
            {string, to_float, ["1.5x"]}, {string, to_integer, [x]}, {string, take, [Text, "eThT "]}, {string, join, [Words, ", "]},
            {string, trim, [<<"  x ">>, both]}, {string, uppercase, [<<"straße"/utf8>>]}, {string, is_empty, [""]},
            {string, nth_lexeme, [Text, 2, " "]}, {string, chr, [Text, $q]}, {string, str, [Text, "fox"]},
            {string, substr, [Text, 5, 5]}, {string, centre, ["x", 7]}, {string, copies, ["ab", 3]}, {string, strip, ["  x "]}]
        ++ [{proplists, get_value, [a, [{a, 1}, b]]}, {proplists, get_value, [b, [{a, 1}, b]]}, {proplists, get_bool, [b, [b]]},
            {proplists, get_all_values, [a, Pairs]}, {proplists, delete, [a, Pairs]}, {proplists, compact, [[{a, true}]]},
            {proplists, unfold, [[a]]}, {proplists, expand, [[{foo, [bar, baz]}], [foo]]}, {proplists, normalize, [[{a, 1}, no_b], [{negations, [{no_b, b}]}]]},
            {proplists, split, [Pairs, [a, b]]}, {proplists, to_map, [Pairs]}, {proplists, lookup_all, [a, Pairs]}, {proplists, from_map, [#{a => 1}]},
            {orddict, from_list, [Pairs]}, {orddict, store, [x, 1, [{a, 1}]]}, {orddict, fetch, [a, [{a, 1}]]}, {orddict, fetch, [b, [{a, 1}]]},
            {orddict, append, [a, 2, [{a, [1]}]]}, {orddict, merge, [fun(_, A, B) -> A + B end, [{a, 1}], [{a, 2}, {b, 3}]]}, {orddict, update_counter, [a, 3, [{a, 1}]]},
            {ordsets, from_list, [Words]}, {ordsets, union, [[1, 3], [2, 3]]}, {ordsets, intersection, [[1, 3], [2, 3]]}, {ordsets, subtract, [[1, 3], [3]]},
            {ordsets, is_subset, [[1], [1, 2]]}, {ordsets, add_element, [2, [1, 3]]}, {ordsets, union, [[[1], [2], [1, 3]]]}, {ordsets, is_disjoint, [[1], [2]]},
            {base64, encode, [<<"hello world">>]}, {base64, decode, [<<"aGVsbG8=">>]}, {base64, encode_to_string, ["abc"]}, {base64, decode, ["a b"]}, {base64, mime_decode, [<<"aGVs bG8=">>]}, {base64, decode, [<<"!">>]}]
        ++ [{filename, F, ["/usr/lib/foo.tar.gz"]} || F <- [basename, dirname, extension, rootname, split, absname, pathtype, nativename]]
        ++ [{filename, join, [["/a", "b", "../c"]]}, {filename, join, ["a", "/b"]}, {filename, basename, ["a.erl", ".erl"]}, {filename, flatten, [["a", [b]]]}, {filename, rootname, [<<"x.y">>]}, {filename, safe_relative_path, ["a/../.."]}, {filename, split, [<<"/a/b">>]},
            {calendar, date_to_gregorian_days, [{2024, 2, 29}]}, {calendar, day_of_the_week, [2024, 2, 29]}, {calendar, gregorian_days_to_date, [738000]}, {calendar, is_leap_year, [1900]}, {calendar, iso_week_number, [{2021, 1, 3}]},
            {calendar, last_day_of_the_month, [2023, 2]}, {calendar, seconds_to_time, [86399]}, {calendar, seconds_to_time, [86400]}, {calendar, time_difference, [{{2020, 1, 1}, {0, 0, 0}}, {{2020, 1, 2}, {1, 0, 0}}]}, {calendar, valid_date, [2023, 2, 29]}, {calendar, rfc3339_to_system_time, ["2018-02-01T16:17:58+01:00"]}, {calendar, system_time_to_rfc3339, [1517498278, [{offset, "Z"}]]}, {calendar, datetime_to_gregorian_seconds, [{{2020, 1, 1}, {0, 0, 0}}]},
            {uri_string, parse, ["foo://user@example.com:8042/over/there?name=ferret#nose"]}, {uri_string, parse, [<<"http://[::1]/">>]}, {uri_string, parse, ["a b"]}, {uri_string, recompose, [#{scheme => "http", host => "x", path => "/y"}]}, {uri_string, normalize, ["http://localhost:80/a/../b%7e"]}, {uri_string, dissect_query, ["a=1&b=%C3%B6"]}, {uri_string, compose_query, [[{"a b", "1"}, {"c", true}]]}, {uri_string, resolve, ["../x", "http://a/b/c"]}, {uri_string, transcode, [<<"foo://x">>, [{in_encoding, utf8}]]}, {uri_string, quote, ["a b"]}]
        ++ [{io_lib, format, [F, A]} || {F, A} <- [{"~p ~w ~s", [{a, "b"}, [1], "x"]}, {"~10.3f|~-5w|~5..0B", [3.14159, ab, 42]}, {"~ts~n", ["åäö"]}, {"~p", [lists:seq(1, 60)]}, {"~P", [lists:seq(1, 60), 9]}, {"~s", [x]}, {"~q", [1]}, {"~e ~g", [1.5, 2.0e10]}, {"~.16B ~#", [255]}, {"~i~w", [1, 2]}, {"~p", [#{a => "text", {b} => <<1, 2>>}]}]]
        ++ [{io_lib, print, [{a, [1, 2], "s", <<"b">>}]}, {io_lib, write, [[a, 'B c', 1.5]]}, {io_lib, write_string, ["a\"b"]}, {io_lib, write_atom, ['a b']}, {io_lib, fread, ["~d ~s", "12 abc"]}, {io_lib, fread, ["~d", "x"]}, {io_lib, char_list, ["abc"]}, {io_lib, printable_list, ["abc"]}, {io_lib, deep_char_list, [["a", [$b]]]}, {io_lib, quote_atom, [x, []]}, {io_lib, limit_term, [lists:seq(1, 100), 5]},
            {io_lib_format, fwrite, ["~w and ~p~n", [a, "b"]]}, {io_lib_format, fwrite_g, [0.1]}, {io_lib_format, fwrite_g, [1.0e22]}, {io_lib_format, fwrite, ["~w", []]}, {io_lib_format, scan, ["~3w", [x]]},
            {io_lib_pretty, print, [{a, "str", [1, 2, 3], #{x => {y}}}]}, {io_lib_pretty, print, [lists:duplicate(40, {tuple, "text"}), 1, 40, -1]}, {io_lib_pretty, print, [lists:seq(1, 9), [{depth, 4}]]},
            {io_lib_fread, fread, ["~s ~d", "abc 42 rest"]}, {io_lib_fread, fread, ["~f", "1.5"]}, {io_lib_fread, fread, ["~16u", "ff"]}, {io_lib_fread, fread, ["~c~c", "ab"]}]
        ++ [{erl_scan, string, [S]} || S <- ["foo(X) -> X + 1.5e3, \"str\\n\", $a, 'at om', <<1:8>>, #{a=>1}. % c", "a 'b", "16#ff 2#12", "\"åäö\" $\\x{41}", "?MODULE:f(_@x)"]]
        ++ [{erl_scan, tokens, [[], "foo. bar", 1]}, {erl_scan, reserved_word, ['case']}, {erl_scan, format_error, [{illegal, integer}]}]
        ++ [{re, split, ["a,b;c", "[,;]", [{return, list}]]}, {re, replace, ["abcd", "(b)(c)", "<\\2\\1&>", [global, {return, list}]]}, {re, run, ["foobar", "o+", [{capture, all, list}]]}, {re, split, [<<"aXbXc">>, "x", [caseless]]}, {re, compile, ["("]}, {re, inspect, [x, y]}, {re, replace, ["aaa", "a", "b"]},
            {unicode, characters_to_nfc_list, ["o" ++ [776]]}, {unicode, characters_to_nfd_binary, [<<"ö"/utf8>>]}, {unicode, characters_to_list, [<<"ö"/utf8>>]}, {unicode, bom_to_encoding, [<<239, 187, 191>>]}, {unicode, encoding_to_bom, [utf8]}, {unicode, characters_to_binary, ["ab", latin1, utf16]},
            {binary, split, [<<"a,b,c">>, <<",">>]}, {binary, split, [<<"a,b,c">>, <<",">>, [global]]}, {binary, replace, [<<"abcabc">>, <<"b">>, <<"XY">>, [global]]}, {binary, replace, [<<"abc">>, <<"b">>, <<"Y">>, [{insert_replaced, 1}]]}, {binary, encode_unsigned, [65535]}, {binary, match, [<<"abc">>, <<"c">>]}, {binary, encode_hex, [<<1, 255>>]}, {binary, decode_hex, [<<"FF0a">>]}, {binary, split, [x, y]},
            {timer, seconds, [5]}, {timer, hms, [1, 2, 3]}, {timer, minutes, [2]}, {timer, now_diff, [{1, 2, 3}, {1, 1, 1}]}, {timer, hours, [x]},
            {erl_bits, set_bit_type, [default, [binary]]}, {erl_bits, set_bit_type, [8, [integer, little]]}, {erl_bits, as_list, [element(3, {ok, 8, element(3, erl_bits:set_bit_type(8, [integer]))})]}, {erl_bits, set_bit_type, [8, [nonsense]]},
            {erl_internal, bif, [length, 1]}, {erl_internal, guard_bif, [foo, 1]}, {erl_internal, op_type, ['+', 2]}, {erl_internal, is_type, [list, 0]}, {erl_internal, type_test, [is_atom, 1]}, {erl_internal, arith_op, ['div', 2]},
            {erl_posix_msg, message, [enoent]}, {erl_posix_msg, message, [no_such]}, {otp_internal, obsolete, [erlang, now, 0]}, {otp_internal, obsolete, [lists, map, 2]}, {otp_internal, obsolete_type, [a, b, 1]},
            {ets, is_compiled_ms, [x]}, {ets, test_ms, [{1, 2}, [{{'$1', '$2'}, [], ['$1']}]]}, {ets, fun2ms, [x]}, {ets, match_spec_compile, [[{'_', [], ['$_']}]]},
            {erl_anno, line, [5]}, {erl_anno, new, [{5, 6}]}, {erl_anno, set_line, [7, 5]}, {erl_anno, to_term, [erl_anno:set_generated(true, 3)]}, {erl_anno, from_term, [[{location, 3}]]}, {erl_anno, is_anno, [x]}]
        ++ [{filelib, F, ["/nonexistent/path"]} || F <- [is_dir, is_file, is_regular, last_modified, file_size]]
        ++ [{filelib, wildcard, ["/etc/host*"]}, {filelib, wildcard, ["/etc/{hosts,passwd}"]}, {filelib, wildcard, ["[a"]}, {filelib, fold_files, ["/nonexistent", ".*", false, Add, 0]}, {filelib, safe_relative_path, ["../x", "/tmp"]}].

scripts() ->
    Pairs = [{b, 2}, {a, 1}, {c, 3}, {a, 4}],
    Forms = "-module(m). -export([f/1]). -record(r,{a,b=2}). f(X) when X > 1 -> #r{a=X}; f(_) -> "
            "try lists:map(fun(Y) -> Y end, [1]) catch _:_ -> [Z || Z <- \"abc\", Z > $a] end.",
    Parsed = fun(R) ->
                     {ok, Tokens, _} = (R(erl_scan)):string(Forms, 1),
                     {_, Each} = lists:foldl(fun({dot, _} = D, {A, Done}) -> {[], [lists:reverse([D | A]) | Done]};
                                                (T, {A, Done}) -> {[T | A], Done} end, {[], []}, Tokens),
                     [element(2, (R(erl_parse)):parse_form(F)) || F <- lists:reverse(Each)]
             end,
    Exprs = fun(R, Text) ->
                    {ok, Tokens, _} = (R(erl_scan)):string(Text),
                    (R(erl_parse)):parse_exprs(Tokens)
            end,
    Evaluated = fun(R, Text) ->
                        {ok, Es} = Exprs(R, Text),
                        {value, V, _} = (R(erl_eval)):exprs(Es, []),
                        V
                end,
    Texts = ["1 + 2 * 3.", "X = 5, case X of 5 -> ok; _ -> no end.", "[X || X <- [1,2,3], X > 1].", "<<1:4, 2:4>>.",
             "lists:sum([1,2]).", "#{a => 1}.", "try throw(x) catch throw:Y -> Y end.", "(fun(A) -> A + 1 end)(2).",
             "<<A:4, B/bits>> = <<16#AB>>, {A, bit_size(B)}.", "if true -> 1 end.", "receive after 0 -> t end.", "1 / 0.",
             "begin A1 = 1, A1 = 2 end.", "f(1).", "<< <<X>> || <<X:4>> <= <<1,2>> >>.", "\"ab\" ++ T = \"abc\", T.", "Z."],
    [{dict, N, fun(R) -> D = R(dict), lists:sort(D:to_list(F(D))) end}
     || {N, F} <- [{from_list, fun(D) -> D:from_list(Pairs) end}, {store, fun(D) -> D:store(z, 1, D:from_list(Pairs)) end},
                   {many, fun(D) -> lists:foldl(fun(X, A) -> D:store(X, X, A) end, D:new(), lists:seq(1, 200)) end},
                   {erase, fun(D) -> lists:foldl(fun D:erase/2, D:from_list([{X, 1} || X <- lists:seq(1, 100)]), lists:seq(20, 100)) end},
                   {merge, fun(D) -> D:merge(fun(_, A, B) -> A + B end, D:from_list(Pairs), D:from_list([{a, 5}])) end},
                   {map, fun(D) -> D:map(fun(_, V) -> -V end, D:from_list(Pairs)) end},
                   {update, fun(D) -> D:update(zz, fun(X) -> X end, D:new()) end}, {append, fun(D) -> D:append(a, 2, D:from_list([{a, [1]}])) end}]]
        ++ [{sets, {N, V}, fun(R) -> S = R(sets), lists:sort(S:to_list(F(S, [{version, V}]))) end}
            || V <- [1, 2], {N, F} <- [{from_list, fun(S, O) -> S:from_list([3, 1, 2, 1], O) end}, {union, fun(S, O) -> S:union(S:from_list([1], O), S:from_list([2], O)) end},
                   {many, fun(S, O) -> lists:foldl(fun S:add_element/2, S:new(O), lists:seq(1, 300)) end}, {subtract, fun(S, O) -> S:subtract(S:from_list([1, 2], O), S:from_list([2], O)) end},
                   {intersection, fun(S, O) -> S:intersection([S:from_list([1, 2, 3], O), S:from_list([2, 3], O)]) end}, {filter, fun(S, O) -> S:filter(fun(X) -> X > 1 end, S:from_list([1, 2], O)) end}]]
        ++ [{gb_trees, N, fun(R) -> T = R(gb_trees), F(T, T:from_orddict([{X, -X} || X <- lists:seq(1, 50)])) end}
            || {N, F} <- [{insert, fun(T, X) -> T:to_list(T:insert(0, a, X)) end}, {delete, fun(T, X) -> T:keys(T:delete(25, X)) end}, {smallest, fun(T, X) -> {T:smallest(X), T:largest(X)} end},
                          {balance, fun(T, X) -> T:balance(X) end}, {absent, fun(T, X) -> T:delete(99, X) end}, {next, fun(T, X) -> {_, _, I} = T:next(T:iterator_from(7, X)), T:next(I) end}, {update, fun(T, X) -> T:get(5, T:update(5, z, X)) end}, {take, fun(T, X) -> T:take_smallest(X) end}, {map, fun(T, X) -> T:values(T:map(fun(K, V) -> K * V end, X)) end}]]
        ++ [{gb_sets, N, fun(R) -> S = R(gb_sets), F(S, S:from_list([5, 3, 9, 1])) end}
            || {N, F} <- [{add, fun(S, X) -> S:to_list(S:add(4, X)) end}, {union, fun(S, X) -> S:to_list(S:union(X, S:from_list([2, 3]))) end}, {member, fun(S, X) -> {S:is_member(3, X), S:is_member(4, X)} end}, {largest, fun(S, X) -> {S:largest(X), S:take_smallest(X)} end}, {subset, fun(S, X) -> S:is_subset(S:singleton(3), X) end}, {delete, fun(S, X) -> S:to_list(S:delete(7, X)) end}, {fold, fun(S, X) -> S:fold(fun(E, A) -> E + A end, 0, X) end}, {difference, fun(S, X) -> S:to_list(S:difference(X, S:from_list([9]))) end}]]
        ++ [{queue, N, fun(R) -> Q = R(queue), F(Q, Q:from_list([1, 2, 3, 4])) end}
            || {N, F} <- [{in, fun(Q, X) -> Q:to_list(Q:in(5, X)) end}, {out, fun(Q, X) -> {A, B} = Q:out(X), {A, Q:to_list(B)} end}, {out_r, fun(Q, X) -> element(1, Q:out_r(X)) end}, {empty, fun(Q, _) -> Q:get(Q:new()) end}, {split, fun(Q, X) -> {A, B} = Q:split(2, X), {Q:to_list(A), Q:to_list(B)} end}, {join, fun(Q, X) -> Q:to_list(Q:join(X, X)) end}, {filter, fun(Q, X) -> Q:to_list(Q:filter(fun(E) -> E > 2 end, X)) end}, {peek, fun(Q, X) -> {Q:peek(X), Q:peek_r(X), Q:len(X), Q:member(2, X)} end}, {bad, fun(Q, _) -> Q:in(1, x) end}, {delete, fun(Q, X) -> Q:to_list(Q:delete(3, X)) end}]]
        ++ [{array, N, fun(R) -> A = R(array), F(A, A:from_list([a, b, c])) end}
            || {N, F} <- [{set, fun(A, X) -> A:to_list(A:set(5, z, X)) end}, {get, fun(A, X) -> {A:get(1, X), A:get(9, X)} end}, {resize, fun(A, X) -> A:size(A:resize(100, X)) end}, {fixed, fun(A, X) -> A:set(7, q, A:fix(X)) end}, {many, fun(A, _) -> A:to_orddict(lists:foldl(fun(I, Y) -> A:set(I * I, I, Y) end, A:new({default, 0}), lists:seq(1, 20))) end}, {map, fun(A, X) -> A:sparse_to_list(A:map(fun(I, V) -> {I, V} end, X)) end}, {foldr, fun(A, X) -> A:foldr(fun(I, V, Acc) -> [{I, V} | Acc] end, [], X) end}, {bad, fun(A, X) -> A:get(-1, X) end}]]
        ++ [{sofs, N, fun(R) -> S = R(sofs), S:to_external(F(S)) end}
            || {N, F} <- [{set, fun(S) -> S:set([b, a]) end}, {relation, fun(S) -> S:composite(S:relation([{1, a}]), S:relation([{a, x}])) end}, {family, fun(S) -> S:family_union(S:family([{a, [[1], [2]]}])) end}, {projection, fun(S) -> S:projection(1, S:relation([{1, a}, {2, b}])) end}, {product, fun(S) -> S:product(S:set([1, 2]), S:set([a])) end}, {partition, fun(S) -> S:partition(fun(X) -> S:from_term(element(1, S:to_external(X))) end, S:relation([{1, a}, {1, b}])) end}, {bad, fun(S) -> S:union(S:set([1]), S:relation([{1, 2}])) end}, {inverse, fun(S) -> S:inverse(S:a_function([{1, 2}])) end}, {closure, fun(S) -> S:relation_to_family(S:restriction(S:relation([{1, 2}, {3, 4}]), S:set([1]))) end}]]
        ++ [{digraph, edges, fun(R) -> {D, G, _} = graph(R), {length(D:edges(G)), lists:sort(D:vertices(G)), D:get_path(G, a, d), lists:sort(D:out_neighbours(G, a)), D:in_degree(G, c), D:get_cycle(G, b), D:del_path(G, a, c), D:no_edges(G)} end},
            {digraph, acyclic, fun(R) -> D = R(digraph), G = D:new([acyclic]), D:add_vertex(G, a), E = element(1, {D:add_edge(G, a, a)}), {element(1, E), element(2, E)} end},
            {digraph, short, fun(R) -> {D, G, _} = graph(R), {D:get_short_path(G, a, d), D:get_short_cycle(G, b)} end},
            {digraph, missing, fun(R) -> {D, G, _} = graph(R), {D:vertex(G, zz), D:del_vertex(G, a), D:no_vertices(G), D:get_path(G, a, b)} end},
            {digraph_utils, all, fun(R) -> {_, G, U} = graph(R), {sorted(U:components(G)), sorted(U:strong_components(G)), sorted(U:reachable([a], G)), U:is_acyclic(G), U:topsort(G), sorted(U:cyclic_strong_components(G)), sorted(U:reaching([d], G))} end},
            {digraph_utils, more, fun(R) -> {_, G, U} = graph(R), {U:is_tree(G), U:arborescence_root(G), sorted(U:loop_vertices(G)), U:is_arborescence(G), sorted(U:preorder(G)), sorted(U:postorder(G))} end}]
        ++ [{rand, A, fun(R) -> M = R(rand), {Xs, _} = lists:mapfoldl(fun(_, S) -> M:uniform_s(1000, S) end, M:seed_s(A, {1, 2, 3}), lists:seq(1, 30)), Xs end} || A <- [exsss, exro928ss, exrop, exs1024s, exsplus]]
        ++ [{rand, N, fun(R) -> M = R(rand), F(M, M:seed_s(exsss, 42)) end} || {N, F} <- [{normal, fun(M, S) -> element(1, M:normal_s(S)) end}, {bytes, fun(M, S) -> element(1, M:bytes_s(9, S)) end}, {real, fun(M, S) -> element(1, M:uniform_real_s(S)) end}, {jump, fun(M, S) -> element(1, M:uniform_s(M:jump(S))) end}, {bad, fun(M, S) -> M:uniform_s(0, S) end}, {mwc, fun(M, _) -> M:mwc59(M:mwc59_seed(42)) end}]]
        ++ [{erl_parse, T, fun(R) -> Exprs(R, T) end} || T <- Texts ++ ["1 +.", "foo(.", "fun() -> .", "-1.", "a:b:c."]]
        ++ [{erl_parse, forms, Parsed}, {erl_parse, abstract, fun(R) -> (R(erl_parse)):abstract([{a, 1.5, <<1, 2>>, #{x => "y"}} | z]) end}, {erl_parse, normalise, fun(R) -> P = R(erl_parse), P:normalise(P:abstract({a, "b", [1 | 2]})) end}]
        ++ [{erl_eval, T, fun(R) -> Evaluated(R, T) end} || T <- Texts]
        ++ [{erl_pp, N, F} || {N, F} <- [{forms, fun(R) -> [lists:flatten((R(erl_pp)):form(X)) || X <- Parsed(R)] end}]]
        ++ [{erl_pp, T, fun(R) -> {ok, Es} = Exprs(R, T), lists:flatten((R(erl_pp)):exprs(Es)) end} || T <- Texts]
        ++ [{erl_lint, module, fun(R) -> (R(erl_lint)):module(Parsed(R)) end}, {erl_lint, unsafe, fun(R) -> {ok, Es} = Exprs(R, "X = Y, case X of 1 -> Z = 1; 2 -> ok end, Z."), (R(erl_lint)):exprs(Es, []) end}, {erl_lint, errors, fun(R) -> L = R(erl_lint), {error, [{_, Es}], _} = L:module([{attribute, 1, module, m}, {function, 2, f, 0, [{clause, 2, [], [], [{call, 2, {atom, 2, g}, []}, {var, 3, 'X'}]}]}]), [lists:flatten(L:format_error(E)) || {_, _, E} <- Es] end}]
        ++ [{erl_expand_records, module, fun(R) -> (R(erl_expand_records)):module(Parsed(R), []) end}]
        ++ [{eval_bits, T, fun(R) -> Evaluated(R, T) end} || T <- ["<<1:3, 2:5/little, 1.5/float, \"ab\"/utf16>>.", "<<X:2, Y:6, Z/binary>> = <<1,2,3>>, {X,Y,Z}.", "<<256:x>>."]]
        ++ [{epp, parse, fun(R) -> with_file("-module(x).\n-define(A(X), X + 1).\n-ifdef(B).\nf() -> b.\n-else.\nf() -> ?A(2).\n-endif.\n", fun(F) -> {ok, Fs} = (R(epp)):parse_file(F, []), [X || X <- Fs, element(1, X) =:= function] end) end},
            {epp, errors, fun(R) -> with_file("-module(x).\nf() -> ?NONE.\n-include(\"none.hrl\").\n", fun(F) -> {ok, Fs} = (R(epp)):parse_file(F, []), [element(3, E) || {error, E} <- Fs] end) end},
            {epp, encoding, fun(R) -> with_file("%% coding: latin-1\n", fun(F) -> (R(epp)):read_encoding(F) end) end}, {epp, default, fun(R) -> {(R(epp)):default_encoding(), (R(epp)):encoding_to_string(utf8)} end},
            {beam_lib, info, fun(R) -> {ok, {_, C}} = (R(beam_lib)):chunks(code:which(lists), [exports, imports, atoms]), erlang:phash2(C) end}, {beam_lib, md5, fun(R) -> (R(beam_lib)):md5(code:which(maps)) end}, {beam_lib, bad, fun(R) -> B = R(beam_lib), {error, _, E} = B:chunks(<<"nonsense">>, [exports]), lists:flatten(B:format_error({error, beam_lib, E})) end}, {beam_lib, strip, fun(R) -> {ok, B} = file:read_file(code:which(queue)), {ok, {M, S}} = (R(beam_lib)):strip(B), {M, byte_size(S)} end}, {beam_lib, cmp, fun(R) -> (R(beam_lib)):cmp(code:which(queue), code:which(sets)) end},
            {zip, memory, fun(R) -> Z = R(zip), {ok, {_, B}} = Z:create("x.zip", [{"a.txt", <<"hello">>}, {"b", binary:copy(<<"z">>, 500)}], [memory]), {ok, Fs} = Z:extract(B, [memory]), lists:sort(Fs) end}, {zip, bad, fun(R) -> (R(zip)):extract(<<"nonsense">>, [memory]) end}, {zip, list, fun(R) -> Z = R(zip), {ok, {_, B}} = Z:create("x.zip", [{"a.txt", <<"hello">>}], [memory]), {ok, Fs} = Z:list_dir(B), length(Fs) end},
            {ets, tab, fun(R) -> E = R(ets), T = ets:new(t, [ordered_set]), ets:insert(T, Pairs), {E:tab2list(T), E:foldl(fun({K, _}, A) -> [K | A] end, [], T), E:match_spec_run([{1, 2}], ets:match_spec_compile([{{'$1', '$2'}, [], ['$2']}]))} end},
            {timer, tc, fun(R) -> element(2, (R(timer)):tc(lists, sum, [[1, 2]])) end}, {erl_anno, all, fun(R) -> A = R(erl_anno), X = A:set_file("f", A:set_text("t", A:new({1, 2}))), {A:file(X), A:text(X), A:column(X), A:end_location(X), A:generated(X)} end}].

graph(R) ->
    D = R(digraph),
    G = D:new(),
    [D:add_vertex(G, V) || V <- [a, b, c, d, e]],
    [D:add_edge(G, A, B) || {A, B} <- [{a, b}, {b, c}, {c, b}, {c, d}, {e, e}]],
    {D, G, R(digraph_utils)}.

sorted(false) -> false;
sorted(L) -> lists:sort([if is_list(X) -> lists:sort(X); true -> X end || X <- L]).

with_file(Text, Fun) ->
    File = filename:join(os:getenv("TMPDIR", "/tmp"), "elsewise-" ++ os:getpid() ++ ".erl"),
    ok = file:write_file(File, Text),
    try Fun(File) after file:delete(File) end.
