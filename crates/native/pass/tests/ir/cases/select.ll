; A select is a choice, and its condition's label is not its result's.
define i32 @f(i1 %c, i32 %a) {
  %r = select i1 %c, i32 %a, i32 9
  ret i32 %r
}
; CHECK: %r = select i1 %c, i32 %a, i32 9
; CHECK: Select $0 0 1
; CHECK-NEXT: Branch 0 $1 $128
; CHECK-NEXT: Select $0 $2 0
; CHECK-NEXT: End $129
; CHECK: site 0: Select in f, sides 2
