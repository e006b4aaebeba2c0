; Every way out of a switch is a side: the default comes first in LLVM, and last here.
define i32 @f(i32 %x) {
  switch i32 %x, label %other [
    i32 7, label %seven
    i32 -1, label %minus
  ]
seven:
  ret i32 1
minus:
  ret i32 2
other:
  ret i32 3
}
; CHECK: site 0: Switch in f, sides 3, cases [7, 4294967295]
; CHECK-LABEL: i32 7, label %13
; CHECK: i32 -1, label %8
; CHECK: 8:
; CHECK: getelementptr i8, ptr %9, i64 1
; CHECK: br label %minus
; CHECK: 13:
; CHECK: getelementptr i8, ptr %14, i64 0
; CHECK: br label %seven
; CHECK: getelementptr i8, ptr %19, i64 2
; CHECK: br label %other
; CHECK: Switch 0 $0 2
; CHECK: Switch 0 $0 0
; CHECK: Switch 0 $0 1
