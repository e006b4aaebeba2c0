; Where nobody starts one, nothing is told.
@shared = global i32 0
define void @f() {
  store i32 1, ptr @shared
  fence seq_cst
  ret void
}
; CHECK: define void @f
; CHECK-NOT: __elw_touch
; CHECK-NOT: __elw_threads
