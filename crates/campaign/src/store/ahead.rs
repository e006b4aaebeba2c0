//! Reading by a thread of its own, where that takes as long as what is done with what is read.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// What is handed over at once, and how often that is done before somebody waits.
const BATCH: usize = 1024;
const AHEAD: usize = 4;

/// Gives what is read to `each`, in order and numbered. `read` is given somebody to hand things to who says whether
/// more is wanted.
pub fn ahead<T: Send, E: Send>(
    read: impl FnOnce(&mut dyn FnMut(T) -> bool) -> Result<(), E> + Send,
    each: impl FnMut(u32, T) -> Result<(), E>,
) -> Result<(), E> {
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(AHEAD);
        scope.spawn(move || send(read, &sender));
        // Gone when it fails, so that nobody waits for somebody to take what was read.
        hand_on(receiver, each)
    })
}

fn send<T, E>(
    read: impl FnOnce(&mut dyn FnMut(T) -> bool) -> Result<(), E>,
    sender: &SyncSender<Result<Vec<T>, E>>,
) {
    let mut batch = Vec::with_capacity(BATCH);
    let mut wanted = true;
    let result = read(&mut |one| {
        batch.push(one);
        if batch.len() == BATCH {
            let full = std::mem::replace(&mut batch, Vec::with_capacity(BATCH));
            wanted = sender.send(Ok(full)).is_ok();
        }
        wanted
    });
    if wanted {
        let _ = sender.send(Ok(batch));
        if let Err(error) = result {
            let _ = sender.send(Err(error));
        }
    }
}

fn hand_on<T, E>(
    batches: Receiver<Result<Vec<T>, E>>,
    mut each: impl FnMut(u32, T) -> Result<(), E>,
) -> Result<(), E> {
    let mut next = 0;
    for batch in batches {
        for one in batch? {
            each(next, one)?;
            next += 1;
        }
    }
    Ok(())
}
