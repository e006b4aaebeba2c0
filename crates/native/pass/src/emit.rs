//! Instruments one function.

use crate::atomics::Atomics;
use crate::bytecode::Bytecode;
use crate::code::Codes;
use crate::divisions;
use crate::emitter::{Emitter, LOOKED_UP, Label};
use crate::functions::{callee_intrinsic, direct_callee, has_attribute};
use crate::globals::Globals;
use crate::groups::{Action, Group};
use crate::ir::{self, Block, Ir, Value};
use crate::labels;
use crate::names::{self, Intrinsic};
use crate::parts;
use crate::questions;
use crate::sites::Sites;
use crate::threads::Touches;
use elsewise_wire::map::SiteKind;
use llvm_sys::LLVMOpcode::*;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// A variable of more bytes is cleared without looking whether it has labels.
const FEW_FLAGS: u64 = 256;

/// Gives undefined operands the value 0: else the optimiser may give each use one of its own, and
/// what is recorded would not be what was computed.
fn settle_undefined(ir: &Ir, function: Value) {
    for i in function.blocks().into_iter().flat_map(Block::instructions) {
        for (index, value) in i.operands().into_iter().enumerate() {
            if value.is_undefined() && ir.shape(value.ty()).is_some() {
                i.set_operand(index as u32, value.ty().null());
            }
        }
    }
}

/// Instruments a function that has a body.
pub fn instrument(
    ir: &Ir,
    globals: &Globals,
    sites: &mut Sites,
    codes: &mut Codes,
    bytecode: &mut Bytecode,
    mut touches: Option<&mut Touches>,
    function: Value,
) {
    if let Some(touches) = &mut touches {
        touches.begin_function();
    }
    parts::split_accesses(ir, function);
    settle_undefined(ir, function);
    let order = reverse_post_order(function);
    let told = codes.tell(ir, function, &order);
    let atomics = Atomics::new(ir, function);
    sites.begin_function(function);
    let may = labels::labelled(ir, function);
    let snapshot: Vec<(Block, Vec<Value>)> = order
        .iter()
        .map(|block| (*block, block.instructions()))
        .collect();
    let numbers: HashMap<Block, usize> = function
        .blocks()
        .into_iter()
        .enumerate()
        .map(|(index, block)| (block, index))
        .collect();
    let mut emitter = Emitter {
        ir,
        globals,
        frame: globals.frame,
        sites: &mut *sites,
        may,
        labels: RefCell::default(),
        group: Group::default(),
        phis: Vec::new(),
        ours: None,
        variadic: None,
        slow_paths: Vec::new(),
        atomics,
        touches,
    };
    // Phis first: their labels are used before the blocks that they come from are reached.
    for (_, instructions) in &snapshot {
        for instruction in instructions.iter().filter(|i| i.opcode() == LLVMPHI) {
            if emitter.may.contains(instruction) {
                for part in 0..emitter.parts(*instruction) {
                    ir.before(ir::first_after_phis(instruction.block()));
                    let label = ir.phi(ir.i32, &[]);
                    emitter.set_part(*instruction, part, Label::Ready(label));
                    emitter.phis.push((*instruction, part, label));
                }
            }
        }
    }
    emitter.entry(function, &snapshot[0].1);
    for (block, instructions) in &snapshot {
        for instruction in instructions {
            if instruction.opcode() != LLVMPHI {
                emitter.instruction(*instruction, numbers[block]);
            }
        }
    }
    for (phi, part, label) in std::mem::take(&mut emitter.phis) {
        let incoming = phi.incoming().into_iter();
        let incoming: Vec<(Value, Block)> = incoming
            .map(|(value, from)| (emitter.label_of_part(value, part), from))
            .collect();
        label.add_incoming(&incoming);
    }
    let frame = emitter.frame;
    for block in emitter.slow_paths {
        bytecode.replace(ir, globals, frame, block);
        block.move_to_end();
    }
    codes.keep(told, sites);
    divisions::keep(ir, function);
}

fn reverse_post_order(function: Value) -> Vec<Block> {
    let mut order = Vec::new();
    let entry = function.entry();
    let mut seen = HashSet::from([entry]);
    let mut stack = vec![(entry, successors(entry))];
    while let Some((block, open)) = stack.last_mut() {
        match open.pop() {
            Some(next) => {
                if seen.insert(next) {
                    stack.push((next, successors(next)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn successors(block: Block) -> Vec<Block> {
    block.terminator().successors()
}

impl Emitter<'_> {
    /// Function entry: labels of the parameters, and no old labels on the stack.
    fn entry(&mut self, function: Value, instructions: &[Value]) {
        // Behind the variables, so that these stay in the entry block.
        let first = instructions
            .iter()
            .copied()
            .find(|i| i.opcode() != LLVMAlloca)
            .expect("a block has a terminator");
        self.ir.before(first);
        // Once for the function, which is then simpler code; but a coroutine may go on in another
        // thread.
        if !has_attribute(function, "presplitcoroutine") {
            self.frame = self.ir.thread_local_address(self.globals.frame);
        }
        self.receive(function);
        self.called_back(function, first);
        for variable in instructions.iter().take_while(|i| i.opcode() == LLVMAlloca) {
            match self.ir.variable_size(*variable) {
                Some(size) if size <= FEW_FLAGS => {
                    let flags = self.ir.flags(*variable, size);
                    self.group.leaf(flags);
                    self.step(*variable, None, Action::Clear);
                }
                _ => self.clear_variable(*variable),
            }
        }
        self.flush(first);
    }

    fn clear_variable(&mut self, variable: Value) {
        let ir = self.ir;
        match ir.variable_size(variable) {
            Some(size) => ir.shadow_clear(variable, size),
            None => {
                let size = ir.size(variable.allocated_type());
                let bytes = ir.mul(ir.as_i64(variable.operand(0)), ir.const64(size));
                ir.call("__elw_clear", None, &[ir.as_i64(variable), bytes]);
            }
        }
    }

    fn any_labelled(&self, operands: &[Value]) -> bool {
        operands.iter().any(|operand| self.may.contains(operand))
    }

    /// An address that may have a label: the runtime looks up what may be there, or makes the
    /// address concrete. Before the access, not with the rest of its group: an access that fails
    /// is the end, and what it depended on must have been reported. The access's own group asks
    /// what came of it ([`LOOKED_UP`]).
    fn settle_address(&mut self, instruction: Value, address: Value) {
        if self.may.contains(&address) {
            let site = self.value_site(instruction);
            self.step(instruction, Some(site), Action::Address);
            self.flush(instruction);
            let found = self.label_of_part(instruction, LOOKED_UP);
            if !found.is_constant() {
                self.group.leaf(found);
            }
        }
    }

    fn instruction(&mut self, i: Value, block: usize) {
        self.one(i, block);
        if let Some(atomic) = self.atomics.computed(i)
            && self.follows(atomic)
        {
            self.store(atomic, i);
        }
    }

    fn one(&mut self, i: Value, block: usize) {
        let may_fail = matches!(
            i.opcode(),
            LLVMLoad | LLVMStore | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem
        );
        if self.group.is_full() || (may_fail && self.group.reports) {
            self.flush(i);
        }
        let moves = matches!(callee_intrinsic(i), Some(Intrinsic::Copy | Intrinsic::Fill));
        if moves
            || matches!(
                i.opcode(),
                LLVMLoad | LLVMStore | LLVMAtomicCmpXchg | LLVMAtomicRMW
            )
            || i.opcode() == LLVMFence && !i.is_for_one_thread()
        {
            self.touch(i);
        }
        match i.opcode() {
            LLVMAlloca => {
                if !i.operand(0).is_constant() {
                    self.unhandled(i);
                    self.flush(i);
                    self.ir.before(ir::next(i));
                    self.clear_variable(i);
                }
            }
            LLVMLoad => self.load(i),
            LLVMStore => {
                self.settle_address(i, i.operand(1));
                self.store(i, i);
            }
            LLVMBr => self.branch(i, block),
            LLVMSwitch => self.switch(i, block),
            LLVMSelect => self.select(i),
            LLVMRet => self.give_back(i),
            LLVMCall | LLVMInvoke => match callee_intrinsic(i) {
                Some(intrinsic) => self.intrinsic(i, intrinsic),
                None => self.call(i),
            },
            LLVMAtomicCmpXchg | LLVMAtomicRMW => self.atomic(i),
            LLVMLandingPad => self.landed(i),
            LLVMCallBr => {
                // Assembly that jumps: which way it goes may depend on whatever it is given.
                self.unhandled(i);
                self.reaches(i, &i.arguments());
                self.flush(i);
            }
            LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem if self.may.contains(&i) => {
                let site = self.value_site(i);
                self.step(i, Some(site), Action::Divide);
                // A division that fails is the end: what it depends on must be reported before.
                self.flush(i);
                self.step(i, None, Action::Label);
            }
            _ if labels::propagates(self.ir, i) && self.may.contains(&i) => {
                if let Some(sources) = parts::sources(self.ir, i) {
                    return self.regroup(i, &sources);
                }
                self.computes(i);
            }
            _ => {
                self.unhandled(i);
                if i.is_terminator() {
                    self.flush(i);
                }
            }
        }
    }

    /// Labelled operands of what is not handled are made concrete.
    pub fn unhandled(&mut self, i: Value) {
        if self.any_labelled(&i.operands()) {
            let site = self.value_site(i);
            self.step(i, Some(site), Action::Concrete);
        }
    }

    /// An instruction that only puts parts together or takes them apart.
    fn regroup(&mut self, i: Value, sources: &[Option<(Value, usize)>]) {
        self.flush(i);
        self.ir.before(i);
        for (part, source) in sources.iter().enumerate() {
            let label = match source {
                Some((value, from)) => self.label_of_part(*value, *from),
                None => self.ir.const32(0),
            };
            self.set_part(i, part, Label::Ready(label));
        }
    }

    fn load(&mut self, i: Value) {
        // The slow path reads the shadow anew: what the group stores must not be there yet.
        if self.group.stores {
            self.flush(i);
        }
        let address = i.operand(0);
        self.settle_address(i, address);
        let size = self.ir.store_size(i.ty());
        self.ir.before(i);
        let any = self.ir.flags(address, size.min(64));
        self.group.leaf(any);
        if self.may.contains(&i) {
            self.step(i, None, Action::Label);
        } else {
            let site = self.value_site(i);
            self.step(i, Some(site), Action::ConcreteMemory);
        }
    }

    /// What was there before has a label, or what is stored: then the shadow changes.
    /// It is looked at before `at`.
    fn store(&mut self, i: Value, at: Value) {
        let (value, address) = self.stored(i);
        let size = self.ir.store_size(value.ty());
        self.ir.before(at);
        let flags = self.ir.flags(address, size.min(64));
        self.group.leaf(flags);
        self.step(i, None, Action::Store);
    }

    fn mark_side(&self, site: u32, condition: Value) {
        let ir = self.ir;
        let first = self.sites.first_side(site);
        let side = ir.zext64(ir.not(condition));
        let coverage = ir.load_settled(ir.ptr, self.globals.coverage);
        ir.mark(ir.offset(coverage, first.into()), side);
    }

    fn branch(&mut self, i: Value, block: usize) {
        if !i.is_conditional() {
            return self.flush(i);
        }
        let condition = i.operand(0);
        if condition.is_constant() {
            return self.flush(i);
        }
        let site = self.sites.add(SiteKind::Branch, i, Vec::new());
        self.sites.ends_block(block, site);
        self.ir.before(i);
        self.mark_side(site, condition);
        if self.may.contains(&condition) {
            self.step(i, Some(site), Action::Choose);
        }
        self.flush(i);
    }

    fn select(&mut self, i: Value) {
        let condition = i.operand(0);
        let scalar = condition.ty() == self.ir.i1;
        if scalar && !condition.is_constant() {
            let site = self.sites.add(SiteKind::Select, i, Vec::new());
            self.ir.before(i);
            self.mark_side(site, condition);
            if self.may.contains(&condition) {
                self.step(i, Some(site), Action::Choose);
            }
        }
        if self.may.contains(&i) {
            self.step(i, None, Action::Label);
        }
    }

    fn switch(&mut self, i: Value, block: usize) {
        self.flush(i);
        let condition = i.operand(0);
        if condition.is_constant() {
            return;
        }
        let Some(shape) = self.ir.shape_of(condition) else {
            return self.unhandled(i);
        };
        // Operands: condition, default, then value and block of each case.
        let count = i.successors().len() - 1;
        let mask = if shape.bits == 64 {
            u64::MAX
        } else {
            (1 << shape.bits) - 1
        };
        let cases = (0..count)
            .map(|case| {
                let number = i.case(case as u32 + 1).as_u64();
                number.expect("the condition has a shape") & mask
            })
            .collect();
        let site = self.sites.add(SiteKind::Switch, i, cases);
        self.sites.ends_block(block, site);
        let first = self.sites.first_side(site);
        let label = self.label(condition);
        for successor in 0..=count as u32 {
            let side = if successor == 0 {
                count as u32
            } else {
                successor - 1
            };
            let edge = i.split_edge(successor);
            let ir = self.ir;
            let jump = edge.terminator();
            ir.builder.go_before(jump);
            let coverage = ir.load_settled(ir.ptr, self.globals.coverage);
            ir.mark(coverage, ir.const64(u64::from(first + side)));
            if self.may.contains(&condition) {
                let test = ir.is_not_zero(label);
                let rest = jump.split_before();
                let slow = ir.new_block(rest);
                ir.unlikely_branch(edge, test, slow, rest);
                ir.at_end(slow, i);
                let number = self.site_number(site);
                ir.call("__elw_switch", None, &[number, label, ir.const32(side)]);
                ir.jump(rest);
                self.slow_paths.push(slow);
            }
        }
    }

    /// Atomic read-modify-write: a load, and a store of what is computed beside it; where the address
    /// has a label, or what is stored cannot have one, memory and operands are made concrete.
    fn atomic(&mut self, i: Value) {
        let ir = self.ir;
        let address = i.operand(0);
        let size = ir.store_size(i.operand(1).ty());
        if self.follows(i) {
            if self.group.stores {
                self.flush(i);
            }
            ir.before(i);
            let any = ir.flags(address, size);
            self.group.leaf(any);
            return self.step(i, None, Action::Label);
        }
        self.unhandled(i);
        self.flush(i);
        let site = self.value_site(i);
        ir.before(i);
        let number = self.site_number(site);
        let at = ir.as_i64(address);
        ir.call(
            "__elw_concrete_memory",
            None,
            &[number, at, ir.const64(size)],
        );
        ir.shadow_clear(address, size);
    }

    fn follows(&self, atomic: Value) -> bool {
        let labelled = self.may.contains(&atomic.operand(0));
        !labelled && self.atomics.stored(atomic).is_some()
    }

    /// Instructions that nothing is known of are given pointers: what they may get at is looked for.
    pub fn reaches(&mut self, i: Value, given: &[Value]) {
        let ir = self.ir;
        let pointers = given.iter().filter(|value| value.ty() == ir.ptr);
        let pointers: Vec<Value> = pointers.copied().collect();
        if pointers.is_empty() {
            return;
        }
        self.flush(i);
        let site = self.value_site(i);
        ir.before(i);
        let number = self.site_number(site);
        for pointer in pointers {
            let size = ir.const32(self.known_size(pointer).unwrap_or(0));
            ir.call("__elw_reaches", None, &[number, ir.as_i64(pointer), size]);
        }
    }

    /// A label from those of the operands, and what may go wrong before.
    fn computes(&mut self, i: Value) {
        if !questions::checks(self.ir, i).is_empty() {
            let site = self.value_site(i);
            self.step(i, Some(site), Action::Check);
        }
        self.step(i, None, Action::Label);
    }

    fn intrinsic(&mut self, i: Value, intrinsic: Intrinsic) {
        let ir = self.ir;
        match intrinsic {
            Intrinsic::Nothing => {}
            _ if intrinsic.has_label() && self.may.contains(&i) => self.computes(i),
            Intrinsic::Same
            | Intrinsic::Formula(_)
            | Intrinsic::Node(_)
            | Intrinsic::MultiplyAdd => self.unhandled(i),
            Intrinsic::Other => {
                self.unhandled(i);
                let name = direct_callee(i).map(|(_, name)| name);
                let name = name.unwrap_or_default();
                if names::may_touch_memory(&name) {
                    self.reaches(i, &i.arguments());
                }
                if name == "llvm.x86.sse2.mfence" {
                    self.touch_fence(i);
                }
                if names::is_environment_of_floats(&name) {
                    self.flush(i);
                    ir.before(i);
                    ir.call("__elw_loses_input", None, &[]);
                }
            }
            Intrinsic::Copy | Intrinsic::Fill => {
                self.flush(i);
                let site = self.value_site(i);
                ir.before(i);
                let site = self.site_number(site);
                let [to, second, size] = [0, 1, 2].map(|index| i.operand(index));
                let (at, bytes) = (ir.as_i64(to), ir.as_i64(size));
                if intrinsic == Intrinsic::Copy {
                    let from = ir.as_i64(second);
                    let [lto, lfrom, lsize] = [to, second, size].map(|value| self.label(value));
                    ir.call(
                        "__elw_copy",
                        None,
                        &[site, at, from, bytes, lto, lfrom, lsize],
                    );
                } else {
                    let [lto, lbyte, lsize] = [to, second, size].map(|value| self.label(value));
                    ir.call("__elw_fill", None, &[site, at, lbyte, bytes, lto, lsize]);
                }
            }
            Intrinsic::VaStart => {
                self.flush(i);
                ir.before(ir::next(i));
                let list = ir.as_i64(i.operand(0));
                let kept = self.variadic.map_or(ir.const64(0), |room| ir.as_i64(room));
                ir.call("__elw_va_start", None, &[list, kept]);
            }
            Intrinsic::VaCopy => {
                self.flush(i);
                ir.before(i);
                ir.shadow_clear(i.operand(0), 24);
            }
        }
    }
}
