//! What lies outside of memory, in the reference.

use super::Outside;

#[derive(Clone)]
pub struct World {
    environment: Option<u8>,
    random: Numbers,
    /// The working directory, and which of the two has the file.
    folder: u8,
    has: [bool; 2],
    rights: u8,
    /// What is in the open file, and where it stands.
    file: Vec<u8>,
    at: usize,
}

/// Things of the world that are touched.
pub const ENVIRONMENT: u32 = 600;
pub const RANDOM: u32 = 601;
pub const FOLDER: u32 = 602;
pub const NAMES: u32 = 603;
pub const RIGHTS: u32 = 604;
pub const DESCRIPTORS: u32 = 605;
pub const FILE: u32 = 606;

impl Outside {
    /// What is touched, and whether that changes it.
    pub fn touches(self) -> &'static [(u32, bool)] {
        match self {
            Outside::SetEnvironment(_) => &[(ENVIRONMENT, true)],
            Outside::GetEnvironment(_) => &[(ENVIRONMENT, false)],
            Outside::Seed(_) | Outside::Random(_) => &[(RANDOM, true)],
            Outside::Create(_) => &[
                (FOLDER, false),
                (RIGHTS, false),
                (NAMES, true),
                (DESCRIPTORS, true),
            ],
            Outside::Remove(_) => &[(FOLDER, false), (NAMES, true)],
            Outside::Exists(_) => &[(FOLDER, false), (NAMES, false)],
            Outside::Go(_) => &[(FOLDER, true)],
            Outside::Where(_) => &[(FOLDER, false)],
            Outside::Rights(..) => &[(RIGHTS, true)],
            Outside::Write(_) | Outside::Read(_) | Outside::Rewind => &[(FILE, true)],
            Outside::First(_) => &[(FILE, false)],
        }
    }

    /// A thread that was cancelled ends there.
    pub fn is_cancellation_point(self) -> bool {
        matches!(
            self,
            Outside::Create(_) | Outside::Write(_) | Outside::Read(_) | Outside::First(_)
        )
    }
}

impl World {
    pub fn new() -> World {
        World {
            environment: None,
            random: Numbers::new(1),
            folder: 0,
            has: [false; 2],
            rights: 0,
            file: Vec::new(),
            at: 0,
        }
    }

    /// Does it; the register that is told something, and what.
    pub fn perform(&mut self, outside: Outside) -> Option<(usize, u8)> {
        let folder = usize::from(self.folder);
        let of = |byte: Option<&u8>| byte.copied().unwrap_or(3);
        match outside {
            Outside::SetEnvironment(number) => self.environment = Some(number),
            Outside::GetEnvironment(register) => {
                return Some((register, self.environment.unwrap_or(3)));
            }
            // The C library takes a seed of 0 for 1.
            Outside::Seed(number) => self.random = Numbers::new(number.max(1).into()),
            Outside::Random(register) => {
                return Some((register, (self.random.next() & 3) as u8));
            }
            Outside::Create(register) => {
                let had = std::mem::replace(&mut self.has[folder], true);
                return Some((register, u8::from(!had)));
            }
            Outside::Remove(register) => {
                let had = std::mem::replace(&mut self.has[folder], false);
                return Some((register, had.into()));
            }
            Outside::Exists(register) => return Some((register, self.has[folder].into())),
            Outside::Go(folder) => self.folder = folder,
            Outside::Where(register) => return Some((register, self.folder)),
            Outside::Rights(register, number) => {
                return Some((register, std::mem::replace(&mut self.rights, number)));
            }
            Outside::Write(number) => {
                match self.file.get_mut(self.at) {
                    Some(byte) => *byte = number,
                    None => self.file.push(number),
                }
                self.at += 1;
            }
            Outside::Read(register) => {
                let byte = self.file.get(self.at);
                let value = of(byte);
                self.at += usize::from(byte.is_some());
                return Some((register, value));
            }
            Outside::First(register) => return Some((register, of(self.file.first()))),
            Outside::Rewind => self.at = 0,
        }
        None
    }
}

/// Numbers of `rand` as the C library makes them: the sum of two of those before.
#[derive(Clone)]
struct Numbers(Vec<u32>);

impl Numbers {
    fn new(seed: i64) -> Numbers {
        let mut first = vec![seed];
        for _ in 1..31 {
            let word = 16807 * first[first.len() - 1] % 2_147_483_647;
            first.push(word);
        }
        let mut numbers: Vec<u32> = first.iter().map(|word| *word as u32).collect();
        for at in 31..34 {
            numbers.push(numbers[at - 31]);
        }
        let mut numbers = Numbers(numbers);
        for _ in 34..344 {
            numbers.step();
        }
        numbers
    }

    fn step(&mut self) -> u32 {
        let at = self.0.len();
        let next = self.0[at - 31].wrapping_add(self.0[at - 3]);
        self.0.remove(0);
        self.0.push(next);
        next
    }

    fn next(&mut self) -> u32 {
        self.step() >> 1
    }
}
