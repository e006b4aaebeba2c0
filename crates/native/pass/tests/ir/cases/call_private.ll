; A function that only this module calls, always by name: nobody asks who called.
define internal i32 @own(i32 %x) {
  ret i32 %x
}
define i32 @f(i32 %x) {
  %r = call i32 @own(i32 %x)
  ret i32 %r
}
; CHECK: define internal i32 @own
; CHECK-NOT: icmp
; CHECK-NOT: store ptr
; CHECK: ret i32 %x
; CHECK: define i32 @f
; CHECK: icmp eq ptr {{*}}, @f
; CHECK: %r = call i32 @own(i32 %x)
; CHECK-NOT: icmp ne ptr
; CHECK: store ptr @f
