; What assembly is given is made concrete, and memory that it writes has no labels.
define i32 @f(i32 %x) {
  %v = alloca i64
  %r = call i32 asm "movl $2, $0; movq %rax, $1", "=r,=*m,r"(ptr elementtype(i64) %v, i32 %x)
  ret i32 %r
}
; CHECK: call void @__elw_assembly({{*}}, i64 8)
; CHECK-NEXT: %r = call i32 asm
; CHECK: Clear $0 8
; CHECK: Concrete 0 $1 $128 3
