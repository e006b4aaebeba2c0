; An index may be a constant without being a number: then its distance is not known here.
@g = global i8 0
define i32 @f(ptr %base) {
  %far = getelementptr i8, ptr %base, i64 ptrtoint (ptr @g to i64)
  %x = load i32, ptr %far
  %near = getelementptr i8, ptr %base, i64 12
  %y = load i32, ptr %near
  %sum = add i32 %x, %y
  ret i32 %sum
}
; CHECK: Sub $1 $0
; CHECK-NEXT: Binary Add.64 $2 0 $0 $128
; CHECK-NEXT: ReadAt 0 $129 $1 4 32 0 0
; CHECK: Binary Add.64 $3 0 $2 12
; CHECK-NEXT: Add $2 12
; CHECK-NEXT: ReadAt 1
