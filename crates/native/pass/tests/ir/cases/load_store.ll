; Flags of memory are looked at inline; labels move on the slow path.
define void @f(ptr %from, ptr %to) {
  %x = load i32, ptr %from
  store i32 %x, ptr %to
  ret void
}
; One flag for eight bytes, and the next one: an access may reach into it.
; CHECK: lshr i64 {{*}}, 3
; CHECK: load i16, ptr {{*}}, align 1, !tbaa
; CHECK: %x = load i32, ptr %from
; CHECK: load i16, ptr {{*}}, align 1, !tbaa
; CHECK: store i32 %x, ptr %to
; An address may have a label itself.
; CHECK: ReadAt 0 $1 $0 4 32 0 0
; CHECK: Load $0 4 32 $1
; CHECK: WriteAt 1 $4 $2 4 $128 $129 0 0
; CHECK: Store $0 4 $1 32 $2
