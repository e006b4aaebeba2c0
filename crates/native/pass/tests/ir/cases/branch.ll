; A branch on a parameter.
define i32 @f(i32 %x) {
  %c = icmp ugt i32 %x, 10
  br i1 %c, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}
; The side is marked whatever the labels are, and told where one is.
; CHECK: define i32 @f
; CHECK: xor i1 %c, true
; CHECK: load ptr, ptr @__elw_coverage
; CHECK: store i8 1
; CHECK: br i1 {{*}}, !prof
; CHECK: br i1 %c, label %yes, label %no
; CHECK: call {{*}} @__elw_slow
; CHECK: slow:
; CHECK: Binary Ugt.1 $1 0 $128 10
; CHECK: Compare Some(Ugt) 32 $0 10
; CHECK-NEXT: Select $130 0 1
; CHECK-NEXT: Branch 0 $129 $131
; CHECK: site 0: Branch in f, sides 2
; CHECK: code f 0: Branch { condition: Register(1), holds: 1, fails: 2, site: Some(0) }
