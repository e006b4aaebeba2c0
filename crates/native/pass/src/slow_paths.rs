//! What groups come to: the test of each, and the code for where some label is not zero.

use crate::emitter::{Emitter, LOOKED_UP, Label};
use crate::functions::callee_intrinsic;
use crate::groups::{Action, Step};
use crate::ir::{Ir, Value, comparison};
use crate::names::Intrinsic;
use crate::questions;
use elsewise_wire::{Formula, Op, Reason};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind;
use std::collections::HashMap;

impl Emitter<'_> {
    /// Adds a step; operands that may have a label and come from outside are tested.
    pub fn step(&mut self, instruction: Value, site: Option<u32>, action: Action) {
        // What an access with a labelled address comes to was found out before (`LOOKED_UP`).
        let address = match (instruction.opcode(), action) {
            (_, Action::Address) => None,
            (LLVMLoad, _) => Some(instruction.operand(0)),
            (LLVMStore, _) => Some(instruction.operand(1)),
            _ => None,
        };
        for operand in instruction.operands() {
            if Some(operand) == address && Some(operand) != self.stored_value(instruction) {
                continue;
            }
            if self.may.contains(&operand) && !self.group.own.contains(&operand) {
                for part in 0..self.parts(operand) {
                    let label = self.label_of_part(operand, part);
                    if !label.is_constant() {
                        self.group.leaf(label);
                    }
                }
            }
        }
        if action == Action::Label {
            self.group.own.insert(instruction);
        }
        self.group.stores |= action == Action::Store;
        self.group.reports |= !matches!(
            action,
            Action::Store | Action::Clear | Action::Label | Action::Check
        );
        self.group.steps.push(Step {
            instruction,
            site,
            action,
        });
    }

    /// Ends the group before `at`.
    pub fn flush(&mut self, at: Value) {
        let group = std::mem::take(&mut self.group);
        if group.steps.is_empty() {
            return;
        }
        let ir = self.ir;
        ir.before(at);
        let Some(any) = group.leaves.iter().fold(None, |any, leaf| {
            Some(any.map_or(*leaf, |any| ir.or(any, *leaf)))
        }) else {
            for step in &group.steps {
                if step.action == Action::Label {
                    for part in 0..self.parts(step.instruction) {
                        self.set_part(step.instruction, part, Label::Ready(ir.const32(0)));
                    }
                }
            }
            return;
        };
        let test = ir.is_not_zero(any);
        let head = at.block();
        let rest = at.split_before();
        let slow = ir.new_block(rest);
        ir.unlikely_branch(head, test, slow, rest);
        let mut inside = HashMap::new();
        for step in &group.steps {
            ir.at_end(slow, step.instruction);
            self.slow(step, &mut inside);
        }
        ir.at_end(slow, at);
        ir.jump(rest);
        self.slow_paths.push(slow);
        ir.before(at);
        for step in &group.steps {
            if step.action == Action::Address {
                let parted = Label::Parted {
                    at: rest,
                    quick: head,
                    slow,
                    label: inside[&(step.instruction, LOOKED_UP)],
                };
                self.set_part(step.instruction, LOOKED_UP, parted);
            }
            if step.action != Action::Label {
                continue;
            }
            for part in 0..self.parts(step.instruction) {
                let parted = Label::Parted {
                    at: rest,
                    quick: head,
                    slow,
                    label: inside[&(step.instruction, part)],
                };
                self.set_part(step.instruction, part, parted);
            }
        }
    }

    /// What a store stores.
    fn stored_value(&self, i: Value) -> Option<Value> {
        (i.opcode() == LLVMStore).then(|| i.operand(0))
    }

    /// What is stored, and where.
    pub fn stored(&self, store: Value) -> (Value, Value) {
        match self.atomics.stored(store) {
            Some(value) => (value, store.operand(0)),
            None => (store.operand(0), store.operand(1)),
        }
    }

    /// Code of one step on the slow path.
    fn slow(&mut self, step: &Step, inside: &mut HashMap<(Value, usize), Value>) {
        let ir = self.ir;
        let i = step.instruction;
        let site = step.site.map(|site| self.site_number(site));
        let label_of_part = |this: &Self, value: Value, part: usize| {
            let own = inside.get(&(value, part)).copied();
            own.unwrap_or_else(|| this.label_of_part(value, part))
        };
        let label = |this: &Self, value: Value| label_of_part(this, value, 0);
        match step.action {
            Action::Label => {
                let made = self.slow_label(i, |value| label(self, value));
                let overflow = match callee_intrinsic(i) {
                    Some(Intrinsic::Formula(formula)) if formula.arithmetic().is_some() => {
                        Some(self.slow_formula(i, formula, |value| label(self, value)))
                    }
                    _ => None,
                };
                inside.insert((i, 0), made);
                if let Some(overflow) = overflow {
                    inside.insert((i, 1), overflow);
                }
                if i.opcode() == LLVMAtomicCmpXchg {
                    // Whether it was exchanged is computed beside it.
                    inside.insert((i, 1), ir.const32(0));
                }
            }
            Action::Store => {
                let (value, address) = self.stored(i);
                match ir.shape_of(value) {
                    Some(shape) => {
                        let arguments = [
                            value_of_address(ir, address),
                            ir.const32(shape.bytes),
                            label(self, value),
                            ir.const32(shape.bits),
                            self.label_of_part(i, LOOKED_UP),
                        ];
                        ir.call("__elw_store", None, &arguments);
                    }
                    None => ir.shadow_clear(address, ir.store_size(value.ty())),
                }
            }
            Action::Clear => {
                let size = ir.variable_size(i).expect("only such are cleared here");
                ir.shadow_clear(i, size);
            }
            Action::Address => {
                let site = site.expect("what may be made concrete has a site");
                let address = i.operand(if i.opcode() == LLVMStore { 1 } else { 0 });
                let found =
                    self.slow_access(i, site, label(self, address), |value| label(self, value));
                inside.insert((i, LOOKED_UP), found);
            }
            Action::Choose => {
                let condition = i.operand(0);
                let site = site.expect("a choice has a site");
                let side = self.side_of(match inside.contains_key(&(condition, 0)) {
                    true => ir.compared_again(condition),
                    false => condition,
                });
                ir.call("__elw_branch", None, &[site, label(self, condition), side]);
            }
            Action::Divide => {
                let (a, b) = (i.operand(0), i.operand(1));
                let signed = matches!(i.opcode(), LLVMSDiv | LLVMSRem);
                let bits = ir.shape_of(i).map_or(0, |shape| shape.bits);
                let arguments = [
                    site.expect("a choice has a site"),
                    ir.const32(bits << 8 | u32::from(signed)),
                    label(self, a),
                    label(self, b),
                    ir.as_i64(a),
                    ir.as_i64(b),
                ];
                ir.call("__elw_division", None, &arguments);
            }
            Action::Check => {
                let site = site.expect("a question has a site");
                for (check, bits, a, b) in questions::checks(ir, i) {
                    let code = ir.const32(check as u32 | bits << 8);
                    let known = |value: Value| match value.is_constant() {
                        true => ir.const32(0),
                        false => label(self, value),
                    };
                    let (la, lb) = (known(a), known(b));
                    let arguments = [site, code, la, lb, ir.as_i64(a), ir.as_i64(b)];
                    ir.call("__elw_check", None, &arguments);
                }
            }
            Action::Concrete => {
                let site = site.expect("what may be made concrete has a site");
                for operand in i.operands() {
                    if !self.may.contains(&operand) {
                        continue;
                    }
                    for part in 0..self.parts(operand) {
                        let value = ir.as_i64(ir.part(operand, part));
                        let label = label_of_part(self, operand, part);
                        self.concrete(site, label, value, Reason::Operation);
                    }
                }
            }
            Action::ConcreteMemory => {
                let site = site.expect("what may be made concrete has a site");
                let address = i.operand(0);
                let at = ir.as_i64(address);
                let size = ir.store_size(i.ty());
                ir.call("__elw_concrete_memory", None, &[site, at, ir.const64(size)]);
            }
        }
    }

    /// The label of an instruction, computed from those of its operands.
    fn slow_label(&self, i: Value, label: impl Fn(Value) -> Value) -> Value {
        let ir = self.ir;
        let parts = ir.parts_of(i).expect("only values with parts have labels");
        let shape = ir.shape(parts[0]).expect("a part has a shape");
        let operand = |index| i.operand(index);
        let binary = |op: Op, bits: u32| {
            let (a, b) = (operand(0), operand(1));
            let code = ir.const32(op as u32 | bits << 8);
            let (va, vb) = (ir.as_i64(a), ir.as_i64(b));
            ir.call(
                "__elw_binary",
                Some(ir.i32),
                &[code, label(a), label(b), va, vb],
            )
        };
        let unary = |op: Op| {
            let code = ir.const32(op as u32 | shape.bits << 8);
            ir.call("__elw_unary", Some(ir.i32), &[code, label(operand(0))])
        };
        match i.opcode() {
            LLVMAdd => binary(Op::Add, shape.bits),
            LLVMSub => binary(Op::Sub, shape.bits),
            LLVMMul => binary(Op::Mul, shape.bits),
            LLVMUDiv => binary(Op::UDiv, shape.bits),
            LLVMSDiv => binary(Op::SDiv, shape.bits),
            LLVMURem => binary(Op::URem, shape.bits),
            LLVMSRem => binary(Op::SRem, shape.bits),
            LLVMShl => binary(Op::Shl, shape.bits),
            LLVMLShr => binary(Op::LShr, shape.bits),
            LLVMAShr => binary(Op::AShr, shape.bits),
            LLVMAnd => binary(Op::And, shape.bits),
            LLVMOr => binary(Op::Or, shape.bits),
            LLVMXor => binary(Op::Xor, shape.bits),
            LLVMICmp => binary(comparison(i), 1),
            LLVMZExt | LLVMIntToPtr => unary(Op::ZExt),
            LLVMSExt => unary(Op::SExt),
            LLVMFAdd => binary(Op::FAdd, shape.bits),
            LLVMFSub => binary(Op::FSub, shape.bits),
            LLVMFMul => binary(Op::FMul, shape.bits),
            LLVMFDiv => binary(Op::FDiv, shape.bits),
            LLVMFRem => binary(Op::FRem, shape.bits),
            LLVMFNeg => unary(Op::FNeg),
            LLVMFCmp => {
                let predicate = i.compares_floats() as u8;
                // Always and never have no label.
                match Op::from_u8(Op::FOeq as u8 - 1 + predicate).filter(|_| predicate != 0) {
                    Some(op) => binary(op, 1),
                    None => ir.const32(0),
                }
            }
            LLVMFPTrunc | LLVMFPExt => unary(Op::FToF),
            LLVMFPToSI => unary(Op::FToSI),
            LLVMFPToUI => unary(Op::FToUI),
            LLVMSIToFP => unary(Op::SIToF),
            LLVMUIToFP => unary(Op::UIToF),
            LLVMTrunc | LLVMPtrToInt => unary(Op::Trunc),
            LLVMBitCast | LLVMFreeze => label(operand(0)),
            LLVMSelect => {
                let (a, b) = (label(operand(1)), label(operand(2)));
                ir.select(operand(0), a, b)
            }
            LLVMGetElementPtr => self.slow_address(i, label),
            LLVMLoad | LLVMAtomicRMW | LLVMAtomicCmpXchg => {
                let at = value_of_address(ir, operand(0));
                let found = self.label_of_part(i, LOOKED_UP);
                let (bytes, bits) = (ir.const32(shape.bytes), ir.const32(shape.bits));
                ir.call("__elw_load", Some(ir.i32), &[at, bytes, bits, found])
            }
            LLVMCall => match callee_intrinsic(i) {
                Some(Intrinsic::Formula(formula)) => match formula.arithmetic() {
                    Some(op) => binary(op, shape.bits),
                    None => self.slow_formula(i, formula, label),
                },
                Some(Intrinsic::Node(op)) if i.arguments().len() == 1 => unary(op),
                Some(Intrinsic::Node(op)) => binary(op, shape.bits),
                Some(Intrinsic::MultiplyAdd) => self.slow_multiply_add(i, label),
                _ => label(operand(0)),
            },
            _ => ir.const32(0),
        }
    }

    fn slow_multiply_add(&self, i: Value, label: impl Fn(Value) -> Value) -> Value {
        let ir = self.ir;
        let bits = ir.shape_of(i).map_or(0, |shape| shape.bits);
        let [a, b, c] = [0, 1, 2].map(|index| i.operand(index));
        let product = ir.builder.multiply_floats(a, b);
        let code = |op: Op| ir.const32(op as u32 | bits << 8);
        let times = [
            code(Op::FMul),
            label(a),
            label(b),
            ir.as_i64(a),
            ir.as_i64(b),
        ];
        let times = ir.call("__elw_binary", Some(ir.i32), &times);
        let plus = [
            code(Op::FAdd),
            times,
            label(c),
            ir.as_i64(product),
            ir.as_i64(c),
        ];
        ir.call("__elw_binary", Some(ir.i32), &plus)
    }

    /// A label that takes several nodes: the runtime makes them.
    fn slow_formula(&self, i: Value, formula: Formula, label: impl Fn(Value) -> Value) -> Value {
        let ir = self.ir;
        let operands = i.arguments();
        let bits = ir.shape_of(operands[0]).map_or(0, |shape| shape.bits);
        let mut arguments = vec![ir.const32(formula as u32 | bits << 8)];
        let three = || (0..3).map(|index| operands.get(index).copied());
        arguments.extend(three().map(|o| o.map_or(ir.const32(0), &label)));
        arguments.extend(three().map(|o| o.map_or(ir.const64(0), |o| ir.as_i64(o))));
        ir.call("__elw_formula", Some(ir.i32), &arguments)
    }

    /// A load or store through a labelled address: what it led to.
    fn slow_access(
        &self,
        i: Value,
        site: Value,
        address_label: Value,
        label: impl Fn(Value) -> Value,
    ) -> Value {
        let ir = self.ir;
        let store = i.opcode() == LLVMStore;
        let address = i.operand(u32::from(store));
        let at = value_of_address(ir, address);
        let moved = if store { i.operand(0) } else { i };
        let Some(shape) = ir.shape_of(moved) else {
            self.concrete(site, address_label, at, Reason::Address);
            return ir.const32(0);
        };
        let (base, extent) = match questions::object_of(ir, address) {
            Some((base, extent)) => (ir.as_i64(base), extent),
            None => (ir.const64(0), 0),
        };
        let (bytes, extent) = (ir.const32(shape.bytes), ir.const64(extent));
        if store {
            let (value_label, value) = (label(moved), ir.as_i64(moved));
            let arguments = [
                site,
                address_label,
                at,
                bytes,
                value_label,
                value,
                base,
                extent,
            ];
            return ir.call("__elw_write_at", Some(ir.i32), &arguments);
        }
        let bits = ir.const32(shape.bits);
        let arguments = [site, address_label, at, bytes, bits, base, extent];
        ir.call("__elw_read_at", Some(ir.i32), &arguments)
    }

    /// Address arithmetic: the labelled parts are added up, and what is left of the concrete
    /// address is a constant.
    fn slow_address(&self, gep: Value, label: impl Fn(Value) -> Value) -> Value {
        let ir = self.ir;
        let add = ir.const32(Op::Add as u32 | 64 << 8);
        let mut sum: Option<(Value, Value)> = None;
        let mut part = |part_label: Value, value: Value| {
            sum = Some(match sum {
                None => (part_label, value),
                Some((so_far, total)) => {
                    let arguments = [add, so_far, part_label, total, value];
                    let joined = ir.call("__elw_binary", Some(ir.i32), &arguments);
                    (joined, ir.add(total, value))
                }
            });
        };
        let base = gep.operand(0);
        if self.may.contains(&base) {
            part(label(base), ir.as_i64(base));
        }
        for (index, scale) in scaled_indices(ir, gep) {
            if !self.may.contains(&index) {
                continue;
            }
            let extend = ir.const32(Op::SExt as u32 | 64 << 8);
            let wide = ir.call("__elw_unary", Some(ir.i32), &[extend, label(index)]);
            let value = ir.sext64(index);
            let times = ir.const32(Op::Mul as u32 | 64 << 8);
            let zero = ir.const32(0);
            let scale = ir.const64(scale);
            let scaled = ir.call(
                "__elw_binary",
                Some(ir.i32),
                &[times, wide, zero, value, scale],
            );
            part(scaled, ir.mul(value, scale));
        }
        let (so_far, total) = sum.expect("a labelled address has a labelled part");
        let rest = match constant_offset(ir, gep) {
            Some((_, offset)) => ir.const64(offset as u64),
            None => ir.sub(ir.as_i64(gep), total),
        };
        ir.call(
            "__elw_binary",
            Some(ir.i32),
            &[add, so_far, ir.const32(0), total, rest],
        )
    }
}

/// An address as a number, computed from the one that it has a constant distance from: of several
/// such addresses the slow path is then given one.
fn value_of_address(ir: &Ir, address: Value) -> Value {
    match constant_offset(ir, address) {
        Some((base, offset)) => ir.add(ir.as_i64(base), ir.const64(offset as u64)),
        None => ir.as_i64(address),
    }
}

/// What an address computation adds to its base, where that is always the same.
fn constant_offset(ir: &Ir, address: Value) -> Option<(Value, i64)> {
    let computed = address.is_gep_instruction();
    if !computed || address.ty() != ir.ptr || !scaled_indices(ir, address).is_empty() {
        return None;
    }
    let mut offset = 0i64;
    let mut ty = address.source_type();
    for (position, index) in address.operands().into_iter().skip(1).enumerate() {
        // A constant need not be a number: an address is one as well.
        let number = index.as_i64()?;
        let scale = match ty.kind() {
            _ if position == 0 => ir.size(ty),
            LLVMTypeKind::LLVMStructTypeKind => {
                let member = number as u32;
                offset = offset.wrapping_add(ir.member_offset(ty, member) as i64);
                ty = ty.member(member);
                continue;
            }
            _ => {
                ty = ty.element();
                ir.size(ty)
            }
        };
        offset = offset.wrapping_add(number.wrapping_mul(scale as i64));
    }
    Some((address.operand(0), offset))
}

/// The variable indices of an address computation with what each is multiplied by.
fn scaled_indices(ir: &Ir, gep: Value) -> Vec<(Value, u64)> {
    let mut found = Vec::new();
    let mut ty = gep.source_type();
    for (position, index) in gep.operands().into_iter().skip(1).enumerate() {
        if position == 0 {
            found.push((index, ir.size(ty)));
            continue;
        }
        match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => {
                let member = index.as_u64();
                ty = ty.member(member.expect("members have numbers") as u32);
            }
            _ => {
                ty = ty.element();
                found.push((index, ir.size(ty)));
            }
        }
    }
    found.retain(|(index, _)| !index.is_constant());
    found
}
