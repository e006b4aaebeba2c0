; What a division depends on is told before it, and no optimiser can tell what its operands are.
define i32 @f(i32 %a, i32 %b) {
  %q = sdiv i32 %a, %b
  %h = udiv i32 %q, 2
  ret i32 %h
}
; CHECK: %15 = call i32 asm sideeffect "", "=r,0"(i32 %a)
; CHECK-NEXT: %16 = call i32 asm sideeffect " ", "=r,0"(i32 %b)
; CHECK-NEXT: %q = sdiv i32 %15, %16
; CHECK-NEXT: call i32 asm sideeffect "", "=r,0"(i32 %q)
; A divisor that is a constant is left as it is.
; CHECK: %h = udiv i32 %q, 2
; Bit 0 says that it is signed, 32 bits stand above.
; CHECK: Division 0 8193 $2 $3
; CHECK: Binary SDiv.32
; CHECK: Division 1 8192
; CHECK: Binary UDiv.32
; CHECK-LABEL: memory(inaccessiblemem: readwrite)
