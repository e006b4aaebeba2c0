; One whose address is somewhere may be called by anybody.
@kept = global ptr @own
define internal i32 @own(i32 %x) {
  ret i32 %x
}
define i32 @f(i32 %x) {
  %r = call i32 @own(i32 %x)
  ret i32 %r
}
; CHECK: define internal i32 @own
; CHECK: icmp eq ptr {{*}}, @own
; CHECK: store ptr @own
; CHECK: ret i32 %x
