; An address computed from an input: the runtime looks among the places of the array.
@table = global [10 x i32] zeroinitializer
define i32 @f(i32 %i) {
  %wide = zext i32 %i to i64
  %at = getelementptr inbounds [10 x i32], ptr @table, i64 0, i64 %wide
  %x = load i32, ptr %at
  ret i32 %x
}
; CHECK: Unary ZExt.64 $0
; CHECK-NEXT: Check 0 Index.64 $128 0 $1 10
; CHECK: Binary Mul.64 $129 0 $1 4
; What is left of the address is a constant.
; CHECK: Sub $2 $131
; CHECK-NEXT: Binary Add.64 $130 0 $131 $132
; The array has 40 bytes.
; CHECK-NEXT: ReadAt 1 $133 $2 4 32 $3 40
; CHECK: Load $0 4 32 $1
