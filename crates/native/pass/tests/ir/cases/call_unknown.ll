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
; Before the call, what an unknown callee would reach is looked through.
; CHECK: getelementptr i64, ptr @__elw_followed
; CHECK: icmp ne i64 %21, ptrtoint (ptr @g to i64)
; CHECK-NEXT: br i1 %22, label %44, label %23
; CHECK: %24 = phi i32 [ 0, %0 ], [ %49, %44 ]
; CHECK-NEXT: %r = call i32 @g(i32 %x, ptr %p)
; CHECK: %26 = load ptr
; CHECK-NEXT: icmp ne ptr %26, @g
; Who has not returned leaves no label.
; CHECK: phi i32 [ %29, %23 ], [ 0, %50 ]
; The second argument is a pointer.
; CHECK: Reached $2 2 $3 $128 $4 $1
; CHECK: External 0 $2 2 $3 $128 $4 $1
