; Labels come together where values do.
define i32 @f(i1 %c, i32 %a, i32 %b) {
  br i1 %c, label %yes, label %no
yes:
  %x = add i32 %a, 1
  br label %end
no:
  br label %end
end:
  %r = phi i32 [ %x, %yes ], [ %b, %no ]
  ret i32 %r
}
; CHECK: %x = add i32 %a, 1
; CHECK: %25 = phi i32 [ 0, %yes ], [ {{*}}, %43 ]
; CHECK: end:
; CHECK-NEXT: %r = phi i32 [ %x, %24 ], [ %b, %no ]
; CHECK-NEXT: %26 = phi i32 [ %25, %24 ], [ %15, %no ]
