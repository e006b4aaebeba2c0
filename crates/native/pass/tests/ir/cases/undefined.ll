; What is undefined is one value, for all who look.
define i32 @f(i32 %x) {
  %r = add i32 %x, undef
  %s = freeze i32 poison
  %t = xor i32 %r, %s
  ret i32 %t
}
; CHECK: %r = add i32 %x, 0
; CHECK: %s = freeze i32 0
; CHECK-NOT: undef
; CHECK-NOT: freeze i32 poison
; CHECK: ret i32 %t
