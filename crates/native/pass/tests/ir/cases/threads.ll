; Where threads are started, accesses that others may see are told; those of a variable that stays here are not.
@shared = global i32 0
@same = constant i32 5
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare void @keep(ptr)
define i32 @f() {
  %own = alloca i32
  %known = alloca i32
  store i32 1, ptr %own
  store i32 2, ptr %known
  call void @keep(ptr %known)
  %a = load i32, ptr @same
  store atomic i32 %a, ptr @shared release, align 4
  %b = load i32, ptr %own
  ret i32 %b
}
; CHECK: @__elw_threads = external
; Something that is not known is called: a thread may not be as it was.
; CHECK: call void @__elw_touch({{*}}, i64 0, i64 0, i32 0)
; CHECK-NEXT: call void @__elw_outside_unknown({{*}}, i64 ptrtoint (ptr @keep to i64))
; CHECK: call void @keep(ptr %known)
; CHECK-NOT: @__elw_touch
; CHECK: %a = load i32, ptr @same
; A store, atomic, that releases.
; CHECK: call void @__elw_touch({{*}}, i64 ptrtoint (ptr @shared to i64), i64 4, i32 11)
; CHECK: store atomic i32 %a, ptr @shared release
