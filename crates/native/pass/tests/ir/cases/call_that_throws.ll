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
; CHECK-NEXT: to label %13 unwind label %off
; CHECK: 13:
; CHECK: icmp ne ptr {{*}}, @g
; CHECK: on:
; CHECK-NEXT: %s = phi i32 [ %r, %19 ]
; CHECK: off:
; CHECK-NOT: @__elw
; CHECK: resume
