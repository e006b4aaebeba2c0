; Both parts of an operation that tells of its overflow have labels.
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
define i1 @f(i32 %a, i32 %b) {
  %both = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %over = extractvalue { i32, i1 } %both, 1
  ret i1 %over
}
; CHECK: Binary Add.32 $2 $3
; CHECK: Formula SAddOverflow.32 $2 $3 0
; CHECK-NEXT: End $133
