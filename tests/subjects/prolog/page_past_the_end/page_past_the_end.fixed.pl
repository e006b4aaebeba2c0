% The repaired twin: a page behind the end is empty.
%! page(+Page:positive_integer, +Size:positive_integer, +Total:nonneg, -Range) is det.
page(Page, Size, Total, From-To) :-
    From is min((Page - 1) * Size, Total),
    To is min(From + Size, Total),
    assertion(From =< To).
