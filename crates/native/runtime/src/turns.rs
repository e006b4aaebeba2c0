//! Variables of the runtime that its threads share.

use core::cell::UnsafeCell;

/// What only the thread whose turn it is makes use of.
///
/// Threads of the subject run one at a time, and their scheduler hands the turn on. Before there are several, there is
/// nobody else; and where no engine is there to control them, nobody has labels, so that nothing here is written.
///
/// A function that asks for such a variable makes a reference of its own and is done with what it has read there before
/// it calls whoever may write it.
pub struct Turns<T>(UnsafeCell<T>);

// SAFETY: no two threads make use of it at once, as said above.
unsafe impl<T> Sync for Turns<T> {}

impl<T> Turns<T> {
    pub const fn new(value: T) -> Turns<T> {
        Turns(UnsafeCell::new(value))
    }

    /// Where it is. Whoever makes a reference of it keeps to what is said above.
    pub const fn get(&self) -> *mut T {
        self.0.get()
    }
}
