; What comes after an invoke is on its way to where it goes on, and on that way only.
declare i32 @g(i32)
declare i32 @personality(...)
define i32 @f(i32 %x) personality ptr @personality {
  %r = invoke i32 @g(i32 %x) to label %on unwind label %off
on:
  %s = phi i32 [ %r, %0 ]
  ret i32 %s
off:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
; CHECK: %r = invoke i32 @g(i32 %x)
; CHECK-NEXT: to label %20 unwind label %off
; CHECK: 20:
; CHECK: icmp ne ptr {{*}}, @g
; CHECK: on:
; CHECK-NEXT: %s = phi i32 [ %r, %26 ]
; CHECK: off:
; Who has thrown and was not instrumented has said nothing after the call.
; CHECK: icmp ne ptr {{*}}, null
; CHECK: call void @__elw_landed()
; CHECK: resume
