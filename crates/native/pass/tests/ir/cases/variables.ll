; Old labels of the stack are forgotten: of few bytes where a flag says so, of many in any case, and of as many as a
; value says.
define void @f(i64 %n) {
  %small = alloca [16 x i8]
  %large = alloca [4096 x i8]
  br label %next
next:
  %any = alloca i32, i64 %n
  ret void
}
; CHECK: load i32, ptr %11, align 1, !tbaa
; CHECK: call void @__elw_clear(i64 %13, i64 4096)
; CHECK: %any = alloca i32, i64 %n
; CHECK-NEXT: %18 = mul i64 %n, 4
; CHECK: call void @__elw_clear(i64 %19, i64 %18)
; CHECK: Clear $0 16
; How much it is, is concrete.
; CHECK: Concrete 0 $0 $1 3
