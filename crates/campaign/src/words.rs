//! The words that approximations are counted under, which rows of the store name by number.

use rustc_hash::FxHashMap;

/// Words that approximations are counted under, by number.
#[derive(Default)]
pub(crate) struct Words {
    list: Vec<String>,
    ids: FxHashMap<String, u32>,
    saved: usize,
}

impl Words {
    /// Those that a store has.
    pub fn load(list: Vec<String>) -> Words {
        let ids = list.iter().enumerate();
        Words {
            ids: ids.map(|(id, word)| (word.clone(), id as u32)).collect(),
            saved: list.len(),
            list,
        }
    }

    /// The number of a word; a new one if it has none.
    pub fn id(&mut self, word: &str) -> u32 {
        if let Some(id) = self.ids.get(word) {
            return *id;
        }
        let id = self.list.len() as u32;
        self.list.push(word.to_owned());
        self.ids.insert(word.to_owned(), id);
        id
    }

    /// Words that the store does not have yet.
    pub fn unsaved(&self) -> Vec<(u32, String)> {
        let new = self.list.iter().enumerate().skip(self.saved);
        new.map(|(id, word)| (id as u32, word.clone())).collect()
    }

    /// The store has all of them now.
    pub fn save(&mut self) {
        self.saved = self.list.len();
    }

    pub fn get(&self, id: u32) -> Option<&str> {
        self.list.get(id as usize).map(String::as_str)
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }
}
