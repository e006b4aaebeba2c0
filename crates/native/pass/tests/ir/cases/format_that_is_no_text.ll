; A format in a constant that is no text of letters is looked at when it is used.
@zeros = private constant [4 x i8] zeroinitializer
@struct = private constant { i64, i64 } { i64 25637, i64 0 }
declare i32 @printf(ptr, ...)
define void @f(i32 %x) {
  %a = call i32 (ptr, ...) @printf(ptr @zeros, i32 %x)
  %b = call i32 (ptr, ...) @printf(ptr @struct, i32 %x)
  ret void
}
; CHECK: call void @__elw_format({{*}}, i64 ptrtoint (ptr @zeros to i64))
; CHECK: call i32 (ptr, ...) @printf(ptr @zeros, i32 %x)
; CHECK: call void @__elw_format({{*}}, i64 ptrtoint (ptr @struct to i64))
; CHECK: call i32 (ptr, ...) @printf(ptr @struct, i32 %x)
