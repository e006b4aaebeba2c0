; Copies and fills move the shadow before they move the bytes.
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @f(ptr %a, ptr %b, i8 %x, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %b, i8 %x, i64 16, i1 false)
  ret void
}
; CHECK: call void @__elw_copy(i32 %23, i64 %24, i64 %25, i64 %n, i32 %7, i32 %11, i32 %19)
; CHECK-NEXT: call void @llvm.memcpy
; CHECK: call void @__elw_fill(i32 %27, i64 %28, i32 %15, i64 16, i32 %11, i32 0)
; CHECK-NEXT: call void @llvm.memset
