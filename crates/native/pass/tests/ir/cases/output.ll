; What is only written out goes nowhere; a count that the format asks for does.
@plain = private constant [4 x i8] c"%d\0A\00"
@counts = private constant [5 x i8] c"%d%n\00"
declare i32 @printf(ptr, ...)
define void @f(i32 %x, ptr %n) {
  %a = call i32 (ptr, ...) @printf(ptr @plain, i32 %x)
  %b = call i32 (ptr, ...) @printf(ptr @counts, i32 %x, ptr %n)
  ret void
}
; CHECK: call void @__elw_may_be_null(i32 %15, i32 0, i64 ptrtoint (ptr @plain to i64))
; CHECK: %a = call i32 (ptr, ...) @printf(ptr @plain, i32 %x)
; CHECK-NOT: @__elw_format
; CHECK: %b = call i32 (ptr, ...) @__elw_m_printf(ptr @counts, i32 %x, ptr %n)
; CHECK-NOT: External
; CHECK: site 1
