; What an atomic leaves in memory is computed beside it; whether it was exchanged is a comparison like any other.
@g = global i32 0
define i32 @add(i32 %x) {
  %old = atomicrmw add ptr @g, i32 %x seq_cst
  ret i32 %old
}
define i1 @swap(i32 %x, i32 %y) {
  %both = cmpxchg ptr @g, i32 %x, i32 %y seq_cst seq_cst
  %done = extractvalue { i32, i1 } %both, 1
  ret i1 %done
}
define float @float(ptr %p, float %x) {
  %old = atomicrmw fadd ptr %p, float %x seq_cst
  ret float %old
}
; CHECK: %old = atomicrmw add ptr @g, i32 %x seq_cst
; CHECK: %18 = add i32 %old, %x
; CHECK: %both = cmpxchg ptr @g
; CHECK: %23 = extractvalue { i32, i1 } %both, 0
; CHECK-NEXT: %24 = icmp eq i32 %23, %x
; CHECK: select i1 %24, i32 %y, i32 %23
; CHECK: ret i1 %24
; Of what is not followed, memory is made concrete.
; CHECK: call void @__elw_concrete_memory({{*}}, i64 4)
; CHECK: call void @__elw_clear({{*}}, i64 4)
; CHECK: atomicrmw fadd
; CHECK: Load $0 4 32 0
; CHECK: Binary Add.32 $128 $3
; CHECK-NEXT: Store $0 4 $131 32 0
; CHECK: Binary Eq.1 $2 $3
; CHECK: Branch 1
; CHECK-NEXT: Select $4 $5 $2
; CHECK-NEXT: Store $6 4 $133 32 0
