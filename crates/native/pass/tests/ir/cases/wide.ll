; Numbers of more than 64 bits have no labels: what goes into them is made concrete.
define i64 @f(i64 %a) {
  %wide = zext i64 %a to i128
  %twice = mul i128 %wide, %wide
  %high = lshr i128 %twice, 64
  %cut = trunc i128 %high to i64
  ret i64 %cut
}
; CHECK: %wide = zext i64 %a to i128
; CHECK: Concrete 0 $0 $1 3
; CHECK-NOT: Binary
