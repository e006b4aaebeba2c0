; Parts of a struct keep their labels when they are taken out and put in.
define { i32, i32 } @f({ i32, i32 } %p, i32 %x) {
  %a = extractvalue { i32, i32 } %p, 1
  %q = insertvalue { i32, i32 } %p, i32 %x, 0
  %r = insertvalue { i32, i32 } %q, i32 %a, 1
  ret { i32, i32 } %r
}
; A struct that is a parameter brings none; the label of %x is in the first place, and none in the second.
; CHECK: %7 = and i32 %5, %6
; CHECK: ret {{*}}
; CHECK-LABEL: getelementptr i8, ptr %1, i64 8
; CHECK-NEXT: store i32 %7
; CHECK-NEXT: getelementptr i8, ptr %1, i64 408
; CHECK-NEXT: store i32 0
; CHECK: code f 0: Assign { to: 4, operator: Concat, operands: [Register(3), Register(1)] }
