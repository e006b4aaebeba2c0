; Who is called may not be instrumented: then what it was given is told.
declare i32 @g(i32, ptr)
define i32 @f(i32 %x, ptr %p) {
  %r = call i32 @g(i32 %x, ptr %p)
  ret i32 %r
}
; The label of each argument, the site, whom it is for, and that nobody has returned yet.
; CHECK: define i32 @f
; CHECK: getelementptr i8, ptr %1, i64 16
; CHECK: store i32 %7
; CHECK: store i32 %11
; CHECK: store ptr @g, ptr %1
; CHECK: store ptr null
; CHECK-NEXT: %r = call i32 @g(i32 %x, ptr %p)
; CHECK: %19 = load ptr
; CHECK-NEXT: icmp ne ptr %19, @g
; Who has not returned leaves no label.
; CHECK: phi i32 [ %22, %0 ], [ 0, %37 ]
; The second argument is a pointer.
; CHECK: External 0 2 $2 $128 $3 $1
