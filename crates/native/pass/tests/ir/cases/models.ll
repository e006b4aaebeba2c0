; A model takes the place of a library's function, wherever that is named.
@table = global [1 x ptr] [ptr @strlen]
declare i64 @strlen(ptr)
define i64 @f(ptr %text) {
  %n = call i64 @strlen(ptr %text)
  ret i64 %n
}
; CHECK: @table = global [1 x ptr] [ptr @__elw_m_strlen]
; CHECK: %n = call i64 @__elw_m_strlen(ptr %text)
; It follows the protocol: nobody looks who has returned.
; CHECK-NOT: icmp ne ptr
; CHECK: ret i64 %n
