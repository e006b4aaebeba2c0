; What is passed on the stack is a copy, and so is its shadow.
%big = type { [24 x i8] }
define i8 @f(ptr byval(%big) align 8 %p) {
  %x = load i8, ptr %p
  ret i8 %x
}
define i8 @g(ptr %p) {
  %r = call i8 @f(ptr byval(%big) align 8 %p)
  ret i8 %r
}
; Who calls says where it is, and who is called asks, unless somebody else has called.
; CHECK: %4 = getelementptr i8, ptr %1, i64 80
; CHECK-NEXT: %5 = load i64, ptr %4
; CHECK-NEXT: %6 = select i1 %3, i64 %5, i64 0
; CHECK: call void @__elw_by_value(i64 %7, i64 %6, i64 24)
; CHECK: define i8 @g
; CHECK: %12 = ptrtoint ptr %p to i64
; CHECK-NEXT: %13 = getelementptr i8, ptr %1, i64 80
; CHECK-NEXT: store i64 %12, ptr %13
; CHECK: call i8 @f
