% The last page is cut at the end, the one behind it is cut before its beginning.
%! page(+Page:positive_integer, +Size:positive_integer, +Total:nonneg, -Range) is det.
page(Page, Size, Total, From-To) :-
    From is (Page - 1) * Size,
    To is min(From + Size, Total),
    assertion(From =< To). % fails here
