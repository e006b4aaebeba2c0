% The lists: which built-ins the engine models, which have at most one answer,
% which only write, which stand in the prelude, and which are never followed.

:- module(elsewise_classes,
          [ class/3,                    % ?Name, ?Arity, ?Class
            module_argument/2,          % +Name, +Arity
            unfollowable/2,             % +Name, +Arity
            never_followed/1            % +Module
          ]).

:- discontiguous class/3.

%!  class(?Name, ?Arity, ?Class)
%
%   Class: builtin (the engine models it), once (opaque, at most one answer),
%   silent (writes, binds nothing), clpfd (a constraint). Others are opaque.

class(Name, Arity, builtin) :- modelled(Name, Arity).
class(Name, Arity, once)    :- single(Name, Arity).
class(Name, Arity, silent)  :- writes(Name, Arity).
class(Name, Arity, clpfd)   :- constraint(Name, Arity).

modelled(=, 2).             modelled(\=, 2).
modelled(==, 2).            modelled(\==, 2).
modelled(@<, 2).            modelled(@>, 2).
modelled(@=<, 2).           modelled(@>=, 2).
modelled(compare, 3).
modelled(var, 1).           modelled(nonvar, 1).
modelled(atom, 1).          modelled(number, 1).
modelled(integer, 1).       modelled(float, 1).
modelled(atomic, 1).        modelled(compound, 1).
modelled(callable, 1).      modelled(is_list, 1).
modelled(ground, 1).        modelled(string, 1).
modelled(is, 2).
modelled(=:=, 2).           modelled(=\=, 2).
modelled(<, 2).             modelled(>, 2).
modelled(=<, 2).            modelled(>=, 2).
modelled(functor, 3).       modelled(=.., 2).
modelled(copy_term, 2).     modelled(copy_term_nat, 2).
modelled(arg, 3).
modelled(succ, 2).          modelled(plus, 3).
modelled(assert, 1).        modelled(asserta, 1).
modelled(assertz, 1).       modelled(retract, 1).
modelled(retractall, 1).
modelled(throw, 1).
modelled(nb_setval, 2).     modelled(b_setval, 2).
modelled(nb_getval, 2).     modelled(b_getval, 2).
modelled(dif, 2).
modelled(term_variables, 2).
modelled(unify_with_occurs_check, 2).
modelled(subsumes_term, 2).

single(atom_length, 2).     single(atom_codes, 2).
single(atom_chars, 2).      single(atom_number, 2).
single(atom_string, 2).     single(atom_to_term, 3).
single(char_code, 2).       single(number_codes, 2).
single(number_chars, 2).    single(number_string, 2).
single(term_to_atom, 2).    single(term_string, 2).
single(upcase_atom, 2).     single(downcase_atom, 2).
single(string_upper, 2).    single(string_lower, 2).
single(string_length, 2).   single(string_codes, 2).
single(string_chars, 2).    single(string_to_atom, 2).
single(string_code, 3).     single(text_to_string, 2).
single(text_concat, 3).     single(normalize_space, 2).
single(atomic_list_concat, 2).
single(atomic_list_concat, 3).
single(split_string, 4).    single(read_term, 2).
single(read_term, 3).       single(read, 1).
single(read, 2).            single(get_char, 1).
single(get_char, 2).        single(peek_char, 1).
single(peek_char, 2).       single(get_time, 1).
single(term_hash, 2).
single(variant_sha1, 2).    single(variant_hash, 2).
single(numbervars, 1).      single(numbervars, 3).
single(copy_term, 3).
single(setarg, 3).          single(nb_setarg, 3).
single(compound_name_arity, 3).
single(compound_name_arguments, 3).
single(random, 1).          single(with_output_to, 2).
single(rational, 1).
single(?=, 2).
single(=@=, 2).             single(\=@=, 2).
single(blob, 2).            single(is_dict, 1).
single(is_assoc, 1).        single(is_stream, 1).
single(acyclic_term, 1).    single(cyclic_term, 1).

writes(write, 1).           writes(write, 2).
writes(print, 1).           writes(print, 2).
writes(writeln, 1).         writes(writeln, 2).
writes(nl, 0).              writes(nl, 1).
writes(tab, 1).             writes(tab, 2).
writes(format, 1).
writes(format, 2).          writes(format, 3).
writes(print_message, 2).   writes(print_message_lines, 3).
writes(write_canonical, 1). writes(write_canonical, 2).
writes(writeq, 1).          writes(writeq, 2).
writes(write_term, 2).      writes(write_term, 3).
writes(flush_output, 0).    writes(flush_output, 1).
writes(put_char, 1).        writes(put_char, 2).
writes(debug, 3).           writes(portray_clause, 1).
writes(listing, 1).         writes(listing, 0).
writes(garbage_collect, 0).

constraint(#=, 2).          constraint(#\=, 2).
constraint(#<, 2).          constraint(#>, 2).
constraint(#=<, 2).         constraint(#>=, 2).
constraint(#\, 1).          constraint(#<==>, 2).
constraint(#==>, 2).        constraint(#<==, 2).
constraint(#\/, 2).         constraint(#/\, 2).
constraint(#\, 2).
constraint(in, 2).          constraint(ins, 2).
constraint(all_different, 1).
constraint(all_distinct, 1).
constraint(sum, 3).         constraint(scalar_product, 4).
constraint(lex_chain, 1).   constraint(tuples_in, 2).
constraint(global_cardinality, 2).
constraint(global_cardinality, 3).
constraint(circuit, 1).     constraint(element, 3).
constraint(cumulative, 1).  constraint(cumulative, 2).
constraint(disjoint2, 1).   constraint(automaton, 3).
constraint(automaton, 8).   constraint(chain, 2).
constraint(transpose, 2).

%!  module_argument(?Name, ?Arity)
%
%   Modelled built-ins whose first argument is told with its module.

module_argument(assert, 1).
module_argument(asserta, 1).
module_argument(assertz, 1).
module_argument(retract, 1).
module_argument(retractall, 1).

%!  unfollowable(?Name, ?Arity)
%
%   A library predicate that calls one of these is opaque as a whole: they
%   change terms in place, or depend on what the engine does not have.

unfollowable(setarg, 3).
unfollowable(nb_setarg, 3).
unfollowable(nb_linkarg, 3).
unfollowable(nb_linkval, 2).
unfollowable(put_attr, 3).
unfollowable(get_attr, 3).
unfollowable(del_attr, 2).
unfollowable(attvar, 1).
unfollowable(setup_call_cleanup, 3).
unfollowable(setup_call_catcher_cleanup, 4).
unfollowable(call_cleanup, 2).
unfollowable(prolog_current_frame, 1).
unfollowable(prolog_load_context, 2).
unfollowable(with_mutex, 2).
unfollowable(thread_self, 1).
unfollowable(engine_next, 2).
unfollowable(nb_current, 2).
unfollowable(prolog_cut_to, 1).
unfollowable(duplicate_term, 2).
unfollowable(shift, 1).
unfollowable(reset, 3).

%!  never_followed(?Module)
%
%   Modules of SWI whose predicates are opaque whatever they are written in.

never_followed(system).
never_followed(elsewise_rt).
never_followed(clpfd).
never_followed(clpb).
never_followed(chr).
never_followed(chr_runtime).
never_followed(prolog_stack).
never_followed(prolog_source).
never_followed(prolog_clause).
never_followed(prolog_listing).
never_followed(prolog_debug).
never_followed(prolog_xref).
never_followed(prolog_code).
never_followed(plunit).
never_followed(tabling).
never_followed(shell).
never_followed(readutil).
never_followed(thread).
never_followed(solution_sequences).
never_followed(nb_set).
never_followed(random).
never_followed(gensym).
never_followed(ansi_term).
never_followed(main).
never_followed(when).
never_followed(coinduction).
never_followed(dif).
never_followed(terms).
never_followed(aggregate).
never_followed(portray_text).
never_followed(pprint).
never_followed(edit).
never_followed(make).
never_followed(check).
never_followed(date).
never_followed(Module) :- sub_atom(Module, 0, 1, _, $).
