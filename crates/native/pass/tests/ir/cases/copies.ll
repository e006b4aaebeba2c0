; Copies of a header's for inlining only are not inlined; those that must be are the module's own.
define available_externally i32 @copy(i32 %x) {
  ret i32 %x
}
define available_externally i32 @must(i32 %x) alwaysinline {
  ret i32 %x
}
define i32 @f(i32 %x) {
  %a = call i32 @copy(i32 %x)
  %b = call i32 @must(i32 %a)
  ret i32 %b
}
; CHECK: Function Attrs: noinline
; CHECK-NEXT: define available_externally i32 @copy
; CHECK-NEXT: ret i32 %x
; CHECK: define internal i32 @must
; CHECK: @__elw_frame
; CHECK: define i32 @f
; The copy is called as what it is a copy of: it may not be instrumented.
; CHECK: call i32 @copy
; CHECK: icmp ne ptr {{*}}, @copy
