//! Harnesses that are written for functions: what `driver/support/graph.c` builds of the roots, cells and pools
//! that the harness describes, said in steps.
//!
//! The descriptions are read where they lie in the program's memory (`elsewise-graph.h` has their layout).
//! Every object that there could be is made and filled, whether or not a pointer leads to it, since what
//! nobody points to nobody sees; a pointer is a look-up of its selector among their addresses.

use super::body::Body;
use super::*;
use elsewise_explore::program::{InputPlace, Operator, Source};

/// Why a harness is not followed.
type Why = &'static str;

const ROOT_SIZE: u64 = 48;
const CELL_SIZE: u64 = 32;
const TARGET_SIZE: u64 = 16;
/// Selectors of a cell, and cells of a harness, beyond which it is not followed.
const MAX_ENTRIES: u64 = 256;
const MAX_CELLS: u64 = 2048;

/// Objects of a type, all of them.
struct Pool {
    /// Where the type is described.
    at: u64,
    /// Addresses of the objects.
    objects: Vec<Operand>,
    size: u64,
    elements: u64,
}

impl Body<'_> {
    /// `elsewise_graph_begin`.
    pub fn graph_begin(&mut self, graph: &Operand) -> Result<(), Why> {
        let graph = constant(graph)?;
        let (types, roots) = (self.word(graph + 8)?, self.word(graph + 24)?);
        let mut pools = Vec::new();
        for index in 0..self.half(graph)? {
            pools.push(self.pool(self.word(types + 8 * index)?)?);
        }
        let count = self.half(graph + 16)?;
        for index in 0..count {
            self.take_root(roots + ROOT_SIZE * index)?;
        }
        let mut cells = 0;
        for index in 0..count {
            let root = roots + ROOT_SIZE * index;
            let at = number(64, self.word(root + 8)?);
            self.settle(&at, 1, 0, [root + 24, root + 20], &pools, &mut cells)?;
        }
        for pool in &pools {
            for object in &pool.objects {
                let described = [pool.at + 32, pool.at + 24];
                self.settle(
                    object,
                    pool.elements,
                    pool.size,
                    described,
                    &pools,
                    &mut cells,
                )?;
            }
        }
        Ok(())
    }

    /// `elsewise_graph_more`: the result of a stub, where it is a plain number.
    pub fn graph_more(&mut self, root: &Operand) -> Result<(), Why> {
        let root = constant(root)?;
        self.take_root(root)?;
        let at = number(64, self.word(root + 8)?);
        self.settle(&at, 1, 0, [root + 24, root + 20], &[], &mut 0)
    }

    fn take_root(&mut self, root: u64) -> Result<(), Why> {
        if self.half(root + 32)? != 0 {
            return Err("arrays of any length");
        }
        let source = Source::Next(self.text(self.word(root)?)?);
        let (address, size) = (self.word(root + 8)?, self.half(root + 16)?);
        self.steps.push(Step::Input {
            to: InputPlace::Memory {
                address: number(64, address),
                size: number(64, size),
            },
            source,
        });
        Ok(())
    }

    fn pool(&mut self, at: u64) -> Result<Pool, Why> {
        let name = self.text(self.word(at)?)?;
        let [size, elements, most] = [at + 8, at + 12, at + 20].map(|at| self.half(at));
        let (size, elements, most) = (size?, elements?, most?);
        if self.word(at + 40)? != 0 {
            return Err("arrays of any length");
        }
        let bytes = size * elements;
        if bytes > 1 << 20 || most > MAX_ENTRIES {
            return Err("large pools");
        }
        let mut objects = Vec::new();
        for _ in 0..most {
            let to = self.fresh(64);
            self.steps.push(Step::Allocate {
                to,
                size: number(64, bytes.max(1)),
                zeroed: false,
            });
            let object = Operand::Register(to);
            self.steps.push(Step::Input {
                to: InputPlace::Memory {
                    address: object.clone(),
                    size: number(64, bytes),
                },
                source: Source::Next(name.clone()),
            });
            // The last element of a string is zero.
            if self.half(at + 16)? != 0 && bytes >= size {
                let last = [object.clone(), number(64, bytes - size)];
                let to = self.assign(64, Operator::Add, &last);
                self.steps.push(Step::Fill {
                    to,
                    value: number(8, 0),
                    size: number(64, size),
                });
            }
            objects.push(object);
        }
        Ok(Pool {
            at,
            objects,
            size,
            elements,
        })
    }

    /// Puts values in the place of the selectors of so many elements that begin here.
    fn settle(
        &mut self,
        base: &Operand,
        elements: u64,
        size: u64,
        [cells, count]: [u64; 2],
        pools: &[Pool],
        done: &mut u64,
    ) -> Result<(), Why> {
        let (cells, count) = (self.word(cells)?, self.half(count)?);
        for element in 0..elements {
            for index in 0..count {
                let cell = cells + CELL_SIZE * index;
                if self.half(cell + 28)? != 0 {
                    return Err("arrays of any length");
                }
                let [offset, in_row, stride] = [cell, cell + 8, cell + 12].map(|at| self.half(at));
                let (offset, in_row, stride) = (offset?, in_row?, stride?);
                for place in 0..in_row {
                    *done += 1;
                    if *done > MAX_CELLS {
                        return Err("large pools");
                    }
                    let from = element * size + offset + place * stride;
                    let at = self.assign(64, Operator::Add, &[base.clone(), number(64, from)]);
                    self.settle_cell(at, cell, pools)?;
                }
            }
        }
        Ok(())
    }

    fn settle_cell(&mut self, at: Operand, cell: u64, pools: &[Pool]) -> Result<(), Why> {
        let (size, ways) = (self.half(cell + 4)?, self.word(cell + 16)?);
        let (width, count) = (self.half(ways)?, self.half(ways + 4)?);
        let (targets, values) = (self.word(ways + 8)?, self.word(ways + 16)?);
        if !matches!((width, size), (1 | 2, 1 | 2 | 4 | 8)) {
            return Err("cells");
        }
        let entries = match targets {
            0 => self.values(values, count, size)?,
            _ => self.targets(targets, count, pools)?,
        };
        let bits = width as u32 * 8;
        let selector = self.fresh(bits);
        self.steps.push(Step::Load {
            to: selector,
            address: at.clone(),
            size: width as u32,
        });
        let mut places = entries.into_iter().enumerate().rev();
        let (_, mut value) = places.next().ok_or("cells")?;
        for (place, entry) in places {
            let selector = Operand::Register(selector);
            let same = self.assign(1, Operator::Eq, &[selector, number(bits, place as u64)]);
            let to = self.fresh(size as u32 * 8);
            self.steps.push(Step::Select {
                to,
                operands: [same, entry, value],
                site: None,
                exchanged: false,
            });
            value = Operand::Register(to);
        }
        self.steps.push(Step::Store {
            address: at,
            value,
            size: size as u32,
        });
        Ok(())
    }

    /// Values as they are in the table when it is looked at: some are put there first.
    fn values(&mut self, table: u64, count: u64, size: u64) -> Result<Vec<Operand>, Why> {
        if count > MAX_ENTRIES {
            return Err("large pools");
        }
        let entries = (0..count).map(|index| {
            let to = self.fresh(size as u32 * 8);
            self.steps.push(Step::Load {
                to,
                address: number(64, table + 8 * index),
                size: size as u32,
            });
            Operand::Register(to)
        });
        Ok(entries.collect())
    }

    /// Null, then object by object the places that each target is.
    fn targets(&mut self, at: u64, count: u64, pools: &[Pool]) -> Result<Vec<Operand>, Why> {
        let mut targets = Vec::new();
        for index in 0..count.min(MAX_ENTRIES) {
            let target = at + TARGET_SIZE * index;
            let (ty, offset) = (self.word(target)?, self.half(target + 8)?);
            let pool = pools.iter().find(|pool| pool.at == ty).ok_or("cells")?;
            targets.push((pool, offset));
        }
        let most = targets.iter().map(|(pool, _)| pool.objects.len()).max();
        let most = most.unwrap_or(0);
        if most as u64 * count >= MAX_ENTRIES {
            return Err("large pools");
        }
        let mut entries = vec![number(64, 0)];
        for object in 0..most {
            for (pool, offset) in &targets {
                entries.push(match (pool.objects.get(object), offset) {
                    (None, _) => number(64, 0),
                    (Some(object), 0) => object.clone(),
                    (Some(object), offset) => {
                        let place = [object.clone(), number(64, *offset)];
                        self.assign(64, Operator::Add, &place)
                    }
                });
            }
        }
        Ok(entries)
    }

    fn bytes(&self, at: u64, count: usize) -> Option<Vec<u8>> {
        let mut objects = self.join.program.objects.iter();
        let object = objects
            .find(|object| object.address <= at && at - object.address < object.size.max(1))?;
        let from = (at - object.address) as usize;
        let inside = (from + count) as u64 <= object.size;
        let bytes = (from..from + count)
            .map(|index| object.bytes.get(index).copied().unwrap_or(0))
            .collect();
        inside.then_some(bytes)
    }

    /// Eight bytes of a description.
    fn word(&self, at: u64) -> Result<u64, Why> {
        let bytes = self.bytes(at, 8).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u64::from_le_bytes).ok_or("descriptions")
    }

    /// Four bytes of a description.
    fn half(&self, at: u64) -> Result<u64, Why> {
        let bytes = self.bytes(at, 4).and_then(|bytes| bytes.try_into().ok());
        let number = bytes.map(u32::from_le_bytes);
        number.map(u64::from).ok_or("descriptions")
    }

    fn text(&self, at: u64) -> Result<Arc<str>, Why> {
        let mut text = Vec::new();
        for index in 0..wire::NAME_BYTES as u64 {
            match self.bytes(at + index, 1).ok_or("descriptions")?[0] {
                0 => break,
                byte => text.push(byte),
            }
        }
        let text = String::from_utf8(text).map_err(|_| "descriptions")?;
        Ok(text.into())
    }
}

fn constant(operand: &Operand) -> Result<u64, Why> {
    match operand {
        Operand::Constant(bits) => bits.to_u64().ok_or("descriptions"),
        _ => Err("descriptions"),
    }
}
