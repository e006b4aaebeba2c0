//! The machines of a project: started, loaded and given cases to run.

use super::Inner;
use super::requests::map;
use crate::outcome::End;
use crate::processes::ProcessReport;
use crate::value::Value;
use crate::vm::{Starting, Vm, VmError};
use elsewise_child::Left;
use elsewise_explore::{Deadline, RunError};
use std::time::Duration;

/// Loading compiles the module and what it uses of the library.
pub const LOAD: Duration = Duration::from_secs(300);

/// A machine with the modules as they are, which takes them in while others already work.
pub struct Plain {
    vm: Vm,
    loading: bool,
}

impl Plain {
    pub fn new(starting: Starting, enter: &Value) -> Result<Plain, VmError> {
        let mut vm = starting.vm();
        vm.tell(enter)?;
        Ok(Plain { vm, loading: true })
    }

    fn ready(&mut self) -> Result<&mut Vm, VmError> {
        if std::mem::take(&mut self.loading) {
            self.vm.answer(LOAD)?;
            self.vm.is_ready()?;
        }
        Ok(&mut self.vm)
    }
}

/// What the machine said of one run.
pub struct Ran {
    pub end: End,
    pub micros: u64,
    pub events: Vec<u8>,
    /// Of its processes, if it had several.
    pub told: Option<ProcessReport>,
    /// Something was refused to it that it might get outside.
    pub refused: bool,
    pub left: Left,
    /// It left something in the machine that the next run would see.
    pub changed: bool,
}

impl Inner {
    pub(crate) fn start(&self) -> Result<Vm, RunError> {
        let failed = |error: VmError| RunError::Start(error.to_string());
        let mut vm = self.starting().map_err(failed)?.vm();
        vm.ask(&self.load, LOAD).map_err(failed)?;
        vm.is_ready().map_err(failed)?;
        Ok(vm)
    }

    /// The machine that is not in use, or a new one.
    pub(crate) fn machine(&self) -> Result<Vm, RunError> {
        let spare = self.spare.lock().ok().and_then(|mut spare| spare.take());
        match spare {
            Some(vm) => Ok(vm),
            None => self.start(),
        }
    }

    fn starting(&self) -> Result<Starting, VmError> {
        let starter = &self.options.starter;
        Starting::new(starter, &self.helper, self.folder.path(), &self.paths)
    }

    /// Runs the module as it is.
    pub(crate) fn plain_run(
        &self,
        arguments: &[Value],
        deadline: &Deadline,
    ) -> Result<End, RunError> {
        let failed = |error: VmError| RunError::Start(error.to_string());
        let kept = self.plain.lock().ok().and_then(|mut plain| plain.take());
        let mut plain = match kept {
            Some(plain) => plain,
            None => self
                .starting()
                .and_then(|starting| Plain::new(starting, &self.enter))
                .map_err(failed)?,
        };
        let ran = self.run(plain.ready().map_err(failed)?, arguments, None, deadline)?;
        if let (false, Ok(mut slot)) = (ran.changed, self.plain.lock()) {
            *slot = Some(plain);
        }
        Ok(ran.end)
    }

    /// One run: how it ended, how long it took, and its events.
    pub(crate) fn run(
        &self,
        vm: &mut Vm,
        arguments: &[Value],
        schedule: Option<&[u32]>,
        deadline: &Deadline,
    ) -> Result<Ran, RunError> {
        let schedule = match schedule {
            Some(names) => Value::list(
                names
                    .iter()
                    .map(|name| Value::Int((*name).into()))
                    .collect(),
            ),
            None => Value::atom("none"),
        };
        let limits = map(&[
            ("schedule", schedule),
            (
                "timeout",
                Value::Int(self.options.timeout.as_millis() as i64),
            ),
            ("memory", Value::Int(self.options.memory as i64)),
        ]);
        let request = Value::tuple(vec![
            Value::atom("run"),
            Value::Atom(self.module.clone()),
            Value::Atom(self.function.0.clone()),
            Value::list(arguments.to_vec()),
            limits,
        ]);
        let limit = self.options.timeout + Duration::from_secs(60);
        let answer = vm
            .ask_until(&request, limit, deadline)
            .map_err(|error| match error {
                VmError::Late => RunError::Late,
                error => RunError::Damaged(error.to_string()),
            })?;
        let Some(
            [
                _,
                end,
                Value::Int(micros),
                Value::Binary(events),
                told,
                refused,
                changed,
            ],
        ) = answer.as_tuple()
        else {
            return Err(RunError::Damaged("the answer to a run".into()));
        };
        let left = vm
            .clean(Duration::from_micros(*micros as u64))
            .map_err(|error| RunError::Damaged(error.to_string()))?;
        Ok(Ran {
            end: End::read(end).ok_or_else(|| RunError::Damaged("the end of a run".into()))?,
            micros: *micros as u64,
            events: events.packed().0,
            told: ProcessReport::read(told),
            refused: refused.is_atom("true") || left.unseen,
            left,
            changed: !changed.is_atom("false"),
        })
    }
}
