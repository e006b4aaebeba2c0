; Instrumented code touches memory that the program does not see: nobody promises that it does not.
declare i32 @pure(i32) memory(none)
define i32 @f(i32 %x) memory(none) {
  %r = call i32 @pure(i32 %x) memory(none)
  ret i32 %r
}
; CHECK-NOT: declare i32 @pure(i32) #
; CHECK: define i32 @f(i32 %x) prefix i64 7810780406355687269 {
; CHECK-NOT: @pure(i32 %x) #
; CHECK: ret i32
