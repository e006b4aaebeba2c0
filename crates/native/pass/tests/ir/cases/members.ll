; A struct in a register is loaded and stored member by member, each with its label.
%pair = type { i32, i64 }
define void @f(ptr %from, ptr %to) {
  %x = load %pair, ptr %from
  store %pair %x, ptr %to
  ret void
}
; CHECK: define void @f
; CHECK-NOT: load %pair
; CHECK: load i32, ptr {{*}}, align 1
; CHECK: insertvalue %pair poison, i32 {{*}}, 0
; CHECK: load i64, ptr {{*}}, align 1
; CHECK: insertvalue %pair {{*}}, i64 {{*}}, 1
; CHECK: store i32 {{*}}, align 1
; CHECK: store i64 {{*}}, align 1
; CHECK-NOT: store %pair
; CHECK: Load $128 4 32
; CHECK: Load $128 8 64
; CHECK: Store $128 4 $1 32
; CHECK: Store $128 8 $1 64
