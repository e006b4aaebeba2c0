//! Sizes and parts of binaries, and what maps have.

use crate::kinds::Kind;
use crate::primitives::{Mode, Outcome, badarg};
use crate::run::Run;
use crate::value::binary::Binary;
use crate::value::{Key, Map, Symbol, Value};
use elsewise_term::{Op, TermId};
use std::sync::Arc;

impl Run<'_> {
    pub(crate) fn is_whole(&mut self, binary: &Binary) -> TermId {
        let length = self.length(binary);
        let low = self.terms.extract(length, 0, 3);
        let zero = self.terms.bits(3, 0);
        self.terms.eq(low, zero)
    }

    pub(crate) fn size_of(
        &mut self,
        site: u32,
        function: &str,
        a: &Value,
        mode: &mut Mode,
    ) -> Outcome {
        if function == "size"
            && let Value::Tuple(tuple) = a
        {
            return Ok(Value::Int(tuple.elements.len() as i64));
        }
        let binary = match a {
            Value::Binary(binary) => binary.clone(),
            Value::Symbol(Symbol::Input(node)) => {
                let is = self.inputs.is(self.terms, *node, Kind::Binary);
                if !self.need(site, is, mode) {
                    return badarg();
                }
                Binary::Rest {
                    node: *node,
                    from: 0,
                }
            }
            _ => return badarg(),
        };
        if let Some(len) = binary.len() {
            let size = if function == "bit_size" {
                len
            } else {
                len.div_ceil(8)
            };
            return Ok(Value::Int(size as i64));
        }
        let length = self.length(&binary);
        let width = self.terms.width(length);
        let length = self.terms.zero_extend(length, width + 1);
        let result = match function {
            "bit_size" => length,
            _ => {
                let seven = self.terms.bits(width + 1, 7);
                let up = self.terms.bv(Op::BvAdd, &[length, seven]);
                let three = self.terms.bits(width + 1, 3);
                self.terms.bv(Op::BvLShr, &[up, three])
            }
        };
        Ok(self.int_value(result))
    }

    pub(crate) fn binary_part(
        &mut self,
        site: u32,
        binary: &Value,
        from: &Value,
        len: &Value,
        mode: &mut Mode,
    ) -> Outcome {
        let binary = match binary {
            Value::Binary(binary) => binary.clone(),
            Value::Symbol(Symbol::Input(node)) => {
                let is = self.inputs.is(self.terms, *node, Kind::Binary);
                match self.need(site, is, mode) {
                    true => Binary::Rest {
                        node: *node,
                        from: 0,
                    },
                    false => return badarg(),
                }
            }
            _ => return badarg(),
        };
        let (from, len) = (self.settle(site, from), self.settle(site, len));
        let (Value::Int(mut from), Value::Int(mut len)) = (from, len) else {
            return badarg();
        };
        if len < 0 {
            from += len;
            len = -len;
        }
        let whole = self.whole(site, &binary);
        let have = whole.len().unwrap_or(0) as i64 / 8;
        if from < 0 || from + len > have {
            return badarg();
        }
        let part = whole.part(from as usize * 8, len as usize * 8);
        Ok(Value::Binary(part))
    }

    pub(crate) fn map_of(&mut self, site: u32, value: &Value, mode: &mut Mode) -> Option<Arc<Map>> {
        let value = match value {
            Value::Symbol(Symbol::Input(node)) => {
                let is = self.inputs.is(self.terms, *node, Kind::Map);
                match self.need(site, is, mode) {
                    true => self.as_kind(*node, Kind::Map),
                    false => return None,
                }
            }
            other => other.clone(),
        };
        match value {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    pub(crate) fn map_size(&mut self, site: u32, map: &Map) -> TermId {
        let mut keys: Vec<Key> = map.entries.keys().cloned().collect();
        if let Some(base) = map.base {
            keys.extend(self.keys(site, base));
        }
        keys.sort();
        keys.dedup();
        let mut size = self.terms.bits(16, 0);
        for key in keys {
            let (has, _) = self.entry(map, &key);
            let one = self.terms.bool_to_bits(has);
            let one = self.terms.zero_extend(one, 16);
            size = self.terms.bv(Op::BvAdd, &[size, one]);
        }
        size
    }

    pub(crate) fn bad_map(&self, map: &Value) -> Outcome {
        Err(Value::tuple(vec![Value::atom("badmap"), map.clone()]))
    }

    pub(crate) fn map_has(
        &mut self,
        site: u32,
        key: &Value,
        map: &Value,
        mode: &mut Mode,
    ) -> Outcome {
        let Some(found) = self.map_of(site, map, mode) else {
            return self.bad_map(map);
        };
        let key = Key(self.settle(site, key));
        let (has, _) = self.entry(&found, &key);
        Ok(self.truth_value(has))
    }

    pub(crate) fn map_get(
        &mut self,
        site: u32,
        key: &Value,
        map: &Value,
        mode: &mut Mode,
    ) -> Outcome {
        let Some(found) = self.map_of(site, map, mode) else {
            return self.bad_map(map);
        };
        let key = Key(self.settle(site, key));
        let (has, entry) = self.entry(&found, &key);
        match (self.need(site, has, mode), entry) {
            (true, Some(entry)) => Ok(entry),
            _ => Err(Value::tuple(vec![Value::atom("badkey"), key.0])),
        }
    }

    /// A map with other entries; `exact` where the keys must be there.
    pub fn map_put(&mut self, site: u32, map: &Value, pairs: &[(bool, Value, Value)]) -> Outcome {
        let map = self.resolved(map);
        let mut mode = Mode::Body;
        let Some(found) = self.map_of(site, &map, &mut mode) else {
            return self.bad_map(&map);
        };
        let mut changed = Map::clone(&found);
        for (exact, key, value) in pairs {
            let key = Key(self.settle(site, key));
            if *exact {
                let (has, _) = self.entry(&changed, &key);
                if !self.branch(site, has) {
                    return Err(Value::tuple(vec![Value::atom("badkey"), key.0]));
                }
            }
            changed.entries.insert(key, Some(value.clone()));
        }
        Ok(Value::Map(Arc::new(changed)))
    }

    pub(crate) fn of_maps(
        &mut self,
        site: u32,
        function: &str,
        arguments: &[Value],
        mode: &mut Mode,
    ) -> Option<Outcome> {
        Some(match (function, arguments) {
            ("get", [key, map]) => self.map_get(site, key, map, mode),
            ("is_key", [key, map]) => self.map_has(site, key, map, mode),
            ("find", [key, map]) => {
                let Some(found) = self.map_of(site, map, mode) else {
                    return Some(self.bad_map(map));
                };
                let key = Key(self.settle(site, key));
                let (has, entry) = self.entry(&found, &key);
                match (self.branch(site, has), entry) {
                    (true, Some(entry)) => Ok(Value::tuple(vec![Value::atom("ok"), entry])),
                    _ => Ok(Value::atom("error")),
                }
            }
            ("put", [key, value, map]) => {
                self.map_put(site, map, &[(false, key.clone(), value.clone())])
            }
            ("update", [key, value, map]) => {
                self.map_put(site, map, &[(true, key.clone(), value.clone())])
            }
            ("remove", [key, map]) => {
                let Some(found) = self.map_of(site, map, mode) else {
                    return Some(self.bad_map(map));
                };
                let key = Key(self.settle(site, key));
                let mut changed = Map::clone(&found);
                match changed.base {
                    Some(_) => changed.entries.insert(key, None),
                    None => changed.entries.remove(&key),
                };
                Ok(Value::Map(Arc::new(changed)))
            }
            _ => return None,
        })
    }
}
