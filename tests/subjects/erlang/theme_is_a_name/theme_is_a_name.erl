%% A setting is a map or the name of one; a name that is not looked up is asked for its keys.
-module(theme_is_a_name).
-export([colour/1]).

-type theme() :: light | dark | #{colour := 0..255}.

-spec colour(#{theme => theme()}) -> 0..255.
-ifdef(REPAIRED).
colour(#{theme := light}) -> 255;
colour(#{theme := dark}) -> 0;
colour(#{theme := Theme}) -> maps:get(colour, Theme);
colour(#{}) -> 128.
-else.
colour(#{theme := light}) -> 255;
colour(#{theme := Theme}) -> maps:get(colour, Theme); % fails here
colour(#{}) -> 128.
-endif.
