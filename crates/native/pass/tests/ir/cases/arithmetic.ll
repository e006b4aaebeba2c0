; Labels of results are computed from those of operands, in one group.
define i64 @f(i32 %a, i32 %b) {
  %sum = add nsw i32 %a, %b
  %shifted = shl i32 %sum, %b
  %wide = sext i32 %shifted to i64
  %same = xor i64 %wide, 5
  ret i64 %same
}
; Overflow and shifts are asked about before the label is made.
; CHECK: define i64 @f
; CHECK: %sum = add nsw i32
; CHECK-NEXT: %shifted = shl i32
; CHECK-NEXT: %wide = sext i32
; CHECK-NEXT: %same = xor i64
; CHECK: Check 0 SAdd.32
; CHECK: Binary Add.32
; CHECK: Check 1 Shift.32
; CHECK: Binary Shl.32
; CHECK: Unary SExt.64
; CHECK: Binary Xor.64 $138 0 $5 5
; CHECK-NOT: Check
; CHECK: End $139
