//! What code that is not instrumented may learn when it has called back: by pointers that it gives and gets, and by
//! exceptions.

use crate::emitter::Emitter;
use crate::functions::by_value;
use crate::ir::{self, Value};
use crate::names;
use elsewise_wire::map::SiteKind;

/// So many pointers are remembered that code that is not instrumented gives a function.
const CALLED_BACK_WITH: usize = 4;

impl Emitter<'_> {
    /// A caller that is not instrumented may look afterwards at what its pointers lead to: at variables of its own,
    /// perhaps, which nobody else could find.
    pub fn called_back(&mut self, function: Value, first: Value) {
        let (ir, Some(ours)) = (self.ir, self.ours) else {
            return;
        };
        let pointers = (0..).zip(function.parameters());
        let pointers = pointers.filter(|(index, parameter)| {
            parameter.ty() == ir.ptr && by_value(ir, function, *index).is_none()
        });
        let pointers = pointers.map(|(_, pointer)| pointer);
        let pointers: Vec<Value> = pointers.take(CALLED_BACK_WITH).collect();
        if pointers.is_empty() || names::only_result(&function.name()) {
            return;
        }
        self.tell_foreign(first, ours, &pointers);
    }

    /// A caller that is not instrumented may look at what the pointer leads to that it gets.
    pub fn gives_back(&mut self, ret: Value, value: Value) {
        if let Some(ours) = self.ours
            && value.ty() == self.ir.ptr
            && !value.is_null()
        {
            self.tell_foreign(ret, ours, &[value]);
        }
    }

    /// Before an instruction, and unless the caller is instrumented: it has these pointers.
    fn tell_foreign(&self, at: Value, ours: Value, pointers: &[Value]) {
        let ir = self.ir;
        let theirs = ir.not(ours);
        let head = at.block();
        let rest = at.split_before();
        let outside = ir.new_block(rest);
        ir.unlikely_branch(head, theirs, outside, rest);
        ir.at_end(outside, at);
        let caller = ir.call("llvm.returnaddress", Some(ir.ptr), &[ir.const32(0)]);
        let mut said = vec![ir.as_i64(caller)];
        said.extend(pointers.iter().map(|pointer| ir.as_i64(*pointer)));
        said.resize(1 + CALLED_BACK_WITH, ir.const64(0));
        ir.call("__elw_called_back", None, &said);
        ir.jump(rest);
        outside.move_to_end();
        ir.before(at);
    }

    /// Who catches an exception that leads to labels may be somebody else.
    pub fn look_at_exception(&mut self, call: Value, direct: Option<&(Value, String)>) {
        let ir = self.ir;
        let name = direct.map_or("", |(_, name)| name);
        let (told, site) = match name {
            "__cxa_throw" => ("__elw_thrown", None),
            "__cxa_begin_catch" => {
                let site = self.sites.add(SiteKind::Value, call, Vec::new());
                ("__elw_caught", Some(site))
            }
            _ => return,
        };
        ir.before(call);
        let mut said: Vec<Value> = site
            .map(|site| self.site_number(site))
            .into_iter()
            .collect();
        said.push(ir.as_i64(call.arguments()[0]));
        ir.call(told, None, &said);
    }

    /// An exception ends here: a foreign function that has thrown it says nothing after its call.
    pub fn landed(&mut self, pad: Value) {
        let ir = self.ir;
        let next = ir::next(pad);
        ir.before(next);
        let outside = ir.differ(ir.load(ir.ptr, self.frame), ir.ptr.null());
        let head = next.block();
        let rest = next.split_before();
        let thrown = ir.new_block(rest);
        ir.unlikely_branch(head, outside, thrown, rest);
        ir.at_end(thrown, pad);
        ir.call("__elw_landed", None, &[]);
        ir.jump(rest);
    }
}
