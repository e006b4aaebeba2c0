; The program's own function is no library's; who calls the model calls it, too.
define i64 @strlen(ptr %text) {
  ret i64 3
}
define i64 @f(ptr %text) {
  %n = call i64 @strlen(ptr %text)
  ret i64 %n
}
; CHECK: @__elw_m_strlen = alias i64 (ptr), ptr @strlen
; CHECK: %n = call i64 @strlen(ptr %text)
; CHECK-NOT: @__elw_m_strlen
