%% Numbers of clauses stand in a word, five of them, the newest last, after a one: a word with room for
%% another is below ?ROOM. It is never larger than what the machine keeps without a cell on its heap.
-define(SHIFT, 2048).
-define(ROOM, (1 bsl 45)).

%% Words that are full and not in the list yet: elsewise_cell.
-define(FULL, 8).
