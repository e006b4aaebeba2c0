//! A counter machine as the engine sees it: runs that say which choices they made.

use crate::machine::{End, Instruction, Machine, Number};
use elsewise_explore::{
    Blueprint, BlueprintBlock, BlueprintFunction, Case, Choice, Location, Outcome, RunError, Shape,
    SiteId, SiteInfo, Subject, Trace,
};
use elsewise_frontend::calls::ARGUMENTS;
use elsewise_term::{Bits, Model, Op, Sort, TermId, Terms};

pub struct CounterSubject {
    machine: Machine,
    /// No register begins with more.
    largest: u8,
    file: String,
    blueprint: Blueprint,
}

impl CounterSubject {
    pub fn new(machine: Machine, largest: u8, file: &str, build: &str) -> CounterSubject {
        let mut sites = Vec::new();
        let mut blocks = Vec::new();
        for (at, (line, instruction)) in machine.code.iter().enumerate() {
            let next = at as u32 + 1;
            let mut block = BlueprintBlock {
                successors: vec![next],
                ..BlueprintBlock::default()
            };
            match instruction {
                Instruction::Dec(_, target) => {
                    block.successors = vec![*target as u32, next];
                    block.site = Some(SiteId(sites.len() as u32));
                    sites.push(SiteInfo {
                        key: at as u64,
                        location: location(file, *line),
                        first_side: 2 * sites.len() as u32,
                        sides: 2,
                        ..SiteInfo::default()
                    });
                }
                Instruction::Go(target) => block.successors = vec![*target as u32],
                Instruction::Halt | Instruction::Fail(_) => block.successors.clear(),
                Instruction::Inc(_) => {}
            }
            blocks.push(block);
        }
        // Behind the last instruction.
        blocks.push(BlueprintBlock::default());
        CounterSubject {
            blueprint: Blueprint {
                build: build.to_string(),
                sides: 2 * sites.len() as u32,
                sites,
                functions: vec![BlueprintFunction {
                    name: "machine".into(),
                    blocks,
                }],
            },
            machine,
            largest,
            file: file.to_string(),
        }
    }

    fn outcome(&self, end: &End) -> Outcome {
        let (kind, at, message) = match end {
            End::Halted => return Outcome::Exit(0),
            End::Failed(at, text) => ("failed", *at, text.clone()),
            End::Endless(at) => ("hang", *at, "the machine does not halt".into()),
        };
        let line = self.machine.code.get(at).map_or(0, |(line, _)| *line);
        Outcome::Failure {
            kind: kind.into(),
            message,
            place: vec![location(&self.file, line)],
        }
    }
}

fn location(file: &str, line: u32) -> Location {
    Location {
        file: file.to_string(),
        line,
        column: 1,
        function: "machine".into(),
    }
}

/// The registers that a case gives, and zeros.
pub fn registers(machine: &Machine, case: &Case) -> Vec<u8> {
    let given = case.inputs.get(ARGUMENTS).map_or(&[][..], Vec::as_slice);
    let mut registers = vec![0; machine.registers.len()];
    for (register, value) in registers.iter_mut().zip(given).take(machine.given) {
        *register = *value;
    }
    registers
}

/// A number with the term that it is of the inputs.
#[derive(Clone)]
struct Traced {
    value: u8,
    term: TermId,
}

/// What a traced run writes down.
struct Tracing<'a> {
    terms: &'a mut Terms,
    trace: Trace,
    blueprint: &'a Blueprint,
}

impl<'a> Number for (Traced, std::marker::PhantomData<&'a ()>) {
    type Context = Tracing<'a>;

    fn is_zero(&self, context: &mut Tracing<'a>, at: usize) -> bool {
        let zero = context.terms.bits(8, 0);
        let condition = context.terms.eq(self.0.term, zero);
        let blocks = &context.blueprint.functions[0].blocks;
        let site = blocks[at].site.unwrap_or(SiteId(0));
        let taken = u64::from(self.0.value != 0);
        context
            .trace
            .covered
            .extend(context.blueprint.side(site, taken));
        context.trace.choices.push(Choice {
            site,
            taken,
            shape: Shape::Branch { condition },
        });
        self.0.value == 0
    }

    fn plus(&self, context: &mut Tracing<'a>, by: i8) -> Self {
        let by_term = context.terms.bits(8, by as u8 as u64);
        let traced = Traced {
            value: self.0.value.wrapping_add_signed(by),
            term: context.terms.bv(Op::BvAdd, &[self.0.term, by_term]),
        };
        (traced, std::marker::PhantomData)
    }
}

impl Subject for CounterSubject {
    fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    fn first_case(&self) -> Case {
        Case {
            inputs: [(ARGUMENTS.to_string(), vec![0; self.machine.given])].into(),
            ..Case::default()
        }
    }

    fn run(&mut self, case: &Case, terms: &mut Terms) -> Result<Trace, RunError> {
        let mut trace = Trace::new(Outcome::Exit(0));
        let mut traced = Vec::new();
        for (index, value) in registers(&self.machine, case).into_iter().enumerate() {
            let mut term = terms.bits(8, u64::from(value));
            if index < self.machine.given {
                term = terms.variable(index as u64, Sort::BitVec(8));
                let largest = terms.bits(8, u64::from(self.largest));
                trace.bounds.push(terms.compare(Op::BvUle, term, largest));
                if let Some(variable) = terms.as_var(term) {
                    trace.present.set(variable, Bits::new(8, u64::from(value)));
                }
            }
            traced.push((Traced { value, term }, std::marker::PhantomData));
        }
        let mut tracing = Tracing {
            terms,
            trace,
            blueprint: &self.blueprint,
        };
        let end = self.machine.run(&mut traced, &mut tracing);
        let mut trace = tracing.trace;
        trace.covered.sort_unstable();
        trace.covered.dedup();
        trace.outcome = self.outcome(&end);
        Ok(trace)
    }

    fn apply_model(&self, case: &Case, terms: &Terms, model: &Model) -> Case {
        let mut amended = case.clone();
        let given = amended.inputs.entry(ARGUMENTS.to_string()).or_default();
        given.resize(self.machine.given, 0);
        for (variable, value) in model.iter() {
            if let Some(register) = given.get_mut(terms.var_key(variable) as usize) {
                *register = value.to_u64().unwrap_or(0) as u8;
            }
        }
        amended
    }

    fn confirm(&mut self, case: &Case) -> Result<Outcome, RunError> {
        let mut registers = registers(&self.machine, case);
        Ok(self.outcome(&self.machine.run(&mut registers, &mut ())))
    }
}
