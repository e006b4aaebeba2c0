%% What a run can leave in the machine besides processes, their names and files: the next one would see it.
-module(elsewise_state).
-export([summary/0]).

%% Equal where nothing was left: the environment, persistent terms, settings of applications. To ask for the
%% working directory takes another thread, and would be slow.
-spec summary() -> non_neg_integer().
summary() ->
    Terms = [Term || {Key, _} = Term <- persistent_term:get(), not is_cache(Key)],
    erlang:phash2({os:getenv(), Terms, ets:tab2list(ac_tab)}, 1 bsl 32).

%% Of modules that have logged something, `logger` keeps the level, which is that of all.
is_cache({logger_config, Module}) when is_atom(Module) -> hd(atom_to_list(Module)) =/= $$;
is_cache(_) -> false.
