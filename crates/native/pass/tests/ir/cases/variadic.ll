; A function with a list keeps the labels of its arguments until it begins the list.
declare void @llvm.va_start.p0(ptr)
define i32 @f(i32 %count, ...) {
  %list = alloca [24 x i8], align 8
  call void @llvm.va_start.p0(ptr %list)
  ret i32 %count
}
define i32 @g(i32 %x, double %y) {
  %r = call i32 (i32, ...) @f(i32 2, i32 %x, double %y)
  ret i32 %r
}
; CHECK: %8 = alloca [80 x i8], align 8
; CHECK: call void @__elw_va_keep(i64 %10, i32 %9)
; CHECK: call void @llvm.va_start.p0(ptr %list)
; CHECK: call void @__elw_va_start(i64 %18, i64 %19)
; One of each kind of register, after the one that is named: 0x211.
; CHECK: define i32 @g
; CHECK: store i64 529
; CHECK: store i32 3
; CHECK: store i32 1
; CHECK: call i32 (i32, ...) @f
