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
; CHECK: icmp ne i64 %23, ptrtoint (ptr @g to i64)
; CHECK-NEXT: br i1 %24, label %50, label %25
; CHECK: %26 = phi i32 [ 0, %13 ], [ %55, %50 ]
; CHECK-NEXT: %r = call i32 @g(i32 %x, ptr %p)
; CHECK: %28 = load ptr
; CHECK-NEXT: icmp ne ptr %28, @g
; Who has not returned leaves no label.
; CHECK: phi i32 [ %31, %25 ], [ 0, %56 ]
; A caller that is not instrumented may look afterwards at what its pointers lead to.
; CHECK: call void @__elw_called_back(i64 %48, i64 %49, i64 0
; The second argument is a pointer.
; CHECK: Reached $2 2 $3 $128 $4 $1
; CHECK: External 0 $2 2 $3 $128 $4 $1
