//! Members that meet at a NATS server with JetStream.
//!
//! Of a campaign NAME the server has, and a member needs nothing else:
//!
//! | what | name | for |
//! |---|---|---|
//! | stream | `elw-NAME`, subjects `elw.NAME.task.*` | portions: a work queue, from which a message goes when it was acknowledged |
//! | consumer | `members` | leases: a message that nobody says anything of comes again |
//! | key-value bucket | `elw-NAME` | what is known of portions, where it is small; otherwise the name of an object |
//! | object bucket | `elw-NAME` | the rest, under its name and the hash of its content, if there is no other [`Bucket`] for it |
//! | subject | `elw.NAME.hungry` | members that have nothing to do; one of those that have is told |

use crate::ClusterError;
use crate::access::{self, ANSWER, Refusal};
use crate::bucket::Bucket;
use crate::names::{Key, Kind, Task};
use crate::objects::{self, Found, object_name};
use crate::place::{Got, Lease, Queue, Store};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::kv::CreateErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::stream::{DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, AckKind, Context, Message, kv, object_store, stream};
use async_nats::{Client, ServerAddr};
use futures_util::StreamExt;
use futures_util::future::try_join_all;
use std::fmt::Display;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

/// Whoever says nothing of a task for so long has lost it, unless the campaign was begun with another time.
const LEASE: Duration = Duration::from_secs(20);
/// A part of that, after which it is said.
const PART: u32 = 4;
/// The server's own bound is 1,000, beyond which it stops without a word.
const LEASED: i64 = 100_000;
/// Members that may wait for a task at the same time. The server's own bound is 512; whoever comes after is sent away at once,
/// and would ask again and again.
const WAITING: i64 = 100_000;
/// What is larger is an object of its own. A message may have 1 MiB.
const SMALL: usize = 128 << 10;
/// How long a server may be away.
const PATIENCE: Duration = Duration::from_secs(60);
/// A first look for a task, before it is said that there is none.
const LOOK: Duration = Duration::from_millis(10);
/// Names that are asked for at the same time.
const TOGETHER: usize = 64;

/// What a value of the key-value bucket begins with.
const HERE: u8 = b'=';
const OBJECT: u8 = b'@';
const IN_BUCKET: u8 = b'#';

/// See the module's comment.
pub struct Nats {
    runtime: Arc<Runtime>,
    name: String,
    client: Client,
    context: Context,
    lease: Duration,
    consumer: PullConsumer,
    keys: kv::Store,
    objects: ObjectStore,
    refusal: Refusal,
    /// Instead of `objects`.
    bucket: Option<Bucket>,
    /// Nobody waits any more for a server that is away.
    stop: Arc<AtomicBool>,
}

impl Nats {
    /// Of a campaign, which is made if it is not there.
    pub fn connect(server: &str, name: &str) -> Result<Nats, ClusterError> {
        Nats::with_lease(server, name, LEASE)
    }

    /// The same; if it is made, it may have so many bytes on the server.
    pub fn within(server: &str, name: &str, quota: Option<u64>) -> Result<Nats, ClusterError> {
        Nats::open(server, name, LEASE, quota)
    }

    /// The same, with another time after which a task is lost of which nothing is said.
    pub fn with_lease(server: &str, name: &str, lease: Duration) -> Result<Nats, ClusterError> {
        Nats::open(server, name, lease, None)
    }

    fn open(
        server: &str,
        name: &str,
        lease: Duration,
        quota: Option<u64>,
    ) -> Result<Nats, ClusterError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        let runtime = runtime.map_err(|error| ClusterError::server("get a thread", error))?;
        // Without who says that he is, and by which password.
        let host = server.rsplit(['@', '/']).next().unwrap_or_default();
        let unreachable = |why: String| ClusterError::Unreachable {
            server: host.to_owned(),
            why,
            away: false,
        };
        let refusal = Refusal::default();
        let (client, context, consumer, keys, objects) = runtime.block_on(async {
            let address: ServerAddr = server
                .parse()
                .map_err(|error| unreachable(format!("{error}")))?;
            let options = access::options(&address, name, &refusal).await?;
            let client = options.connect(address).await;
            let client = client.map_err(|error| access::not_connected(host, &error))?;
            let context = jetstream::new(client.clone());
            let room = Room::of(quota);
            let begun = refusal.or(begin(&context, name, lease, &room)).await;
            let (consumer, keys, objects) = begun?;
            Ok::<_, ClusterError>((client, context, consumer, keys, objects))
        })?;
        Ok(Nats {
            runtime: Arc::new(runtime),
            name: name.to_owned(),
            client,
            context,
            lease,
            consumer,
            keys,
            objects,
            refusal,
            bucket: None,
            stop: Arc::default(),
        })
    }

    /// Does not wait for a server that is away once this is set.
    pub fn until(self, stop: Arc<AtomicBool>) -> Nats {
        Nats { stop, ..self }
    }

    /// Keeps there what is large.
    pub fn with_bucket(self, bucket: Bucket) -> Nats {
        let bucket = Some(bucket);
        Nats { bucket, ..self }
    }

    /// Does it again for as long as a server may be away.
    fn patiently<T, E: Display, F: Future<Output = Result<T, E>>>(
        &self,
        what: &'static str,
        mut attempt: impl FnMut() -> F,
    ) -> Result<T, ClusterError> {
        let end = Instant::now() + PATIENCE;
        let mut pause = Duration::from_millis(50);
        loop {
            match self.runtime.block_on(attempt()) {
                Ok(done) => return Ok(done),
                Err(error) if error.to_string().contains(FULL) => {
                    return Err(ClusterError::Full(self.name.clone()));
                }
                Err(error) if let Some(why) = self.refusal.take() => {
                    return Err(ClusterError::server(what, error).because(Some(why)));
                }
                Err(error) if Instant::now() >= end || self.stop.load(Relaxed) => {
                    return Err(ClusterError::server(what, error));
                }
                Err(_) => std::thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_secs(2));
        }
    }

    async fn next(&self, wait: Duration) -> Option<Message> {
        let batch = self.consumer.fetch().max_messages(1).expires(wait);
        // A server that is away has no tasks.
        let mut messages = batch.messages().await.ok()?;
        messages.next().await?.ok()
    }

    /// What stands for these bytes in the key-value bucket, with the bytes elsewhere if they are many.
    fn value(&self, key: &Key, bytes: &[u8]) -> Result<Vec<u8>, ClusterError> {
        if bytes.len() <= SMALL {
            return Ok([&[HERE], bytes].concat());
        }
        let hash = blake3::hash(bytes).to_hex();
        let name = object_name(key, &hash);
        if let Some(bucket) = &self.bucket {
            bucket.put(&name, bytes)?;
            return Ok([&[IN_BUCKET], hash.as_bytes()].concat());
        }
        self.patiently("keep an object", || async {
            let mut from = bytes;
            self.objects.put(name.as_str(), &mut from).await.map(|_| ())
        })?;
        Ok([&[OBJECT], hash.as_bytes()].concat())
    }

    fn named(&self, key: &Key) -> Result<Option<Vec<u8>>, ClusterError> {
        let name = key.to_string();
        let value = self.patiently("say what it has", || self.keys.get(name.as_str()))?;
        Ok(value.map(Into::into))
    }

    /// The same for many keys: nobody waits for each answer before the next question.
    fn named_each(&self, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, ClusterError> {
        let mut values = Vec::with_capacity(keys.len());
        for keys in keys.chunks(TOGETHER) {
            let got = self.patiently("say what it has", || {
                let asked = keys.iter().map(|key| self.keys.get(key.to_string()));
                try_join_all(asked)
            })?;
            values.extend(got.into_iter().map(|value| value.map(Into::into)));
        }
        Ok(values)
    }

    /// An object that no name stands for any more. What is left behind takes room, and nothing else.
    fn forget_object(&self, key: &Key, value: Option<&[u8]>) {
        let Some((&kind, hash)) = value.and_then(<[u8]>::split_first) else {
            return;
        };
        let Ok(hash) = hash_of(key, hash) else {
            return;
        };
        let name = object_name(key, &hash.to_hex());
        match (kind, &self.bucket) {
            (OBJECT, _) => drop(self.runtime.block_on(self.objects.delete(name))),
            (IN_BUCKET, Some(bucket)) => drop(bucket.delete(&name)),
            _ => {}
        }
    }

    /// What a value stands for, if that is there.
    fn content(&self, key: &Key, value: &[u8]) -> Result<Option<Vec<u8>>, ClusterError> {
        let (kind, hash) = match value.split_first() {
            Some((&HERE, bytes)) => return Ok(Some(bytes.to_vec())),
            Some((kind @ &(OBJECT | IN_BUCKET), hash)) => (*kind, hash_of(key, hash)?),
            _ => {
                return Err(damaged(
                    key,
                    "it is neither bytes nor the name of an object",
                ));
            }
        };
        let name = object_name(key, &hash.to_hex());
        let bytes = match (kind, &self.bucket) {
            (OBJECT, _) => self.object(key, &name)?,
            (_, Some(bucket)) => bucket.get(&name)?,
            (_, None) => return Err(ClusterError::UnnamedBucket("a bucket".to_owned())),
        };
        match bytes {
            Some(bytes) if blake3::hash(&bytes) != hash => {
                Err(damaged(key, "its content is not what its name says"))
            }
            bytes => Ok(bytes),
        }
    }

    /// One of the server's.
    fn object(&self, key: &Key, name: &str) -> Result<Option<Vec<u8>>, ClusterError> {
        let stream = format!("OBJ_elw-{}", self.name);
        let found = self.patiently("hand out an object", || {
            objects::fetch(&self.context, &self.objects, &stream, name)
        })?;
        match found {
            Found::Whole(bytes) => Ok(Some(bytes)),
            Found::Nothing => Ok(None),
            Found::Damaged(why) => Err(damaged(key, why)),
        }
    }
}

fn damaged(key: &Key, why: &str) -> ClusterError {
    ClusterError::Damaged {
        key: key.to_string(),
        why: why.to_owned(),
    }
}

/// The hash that somebody has written, if it is one.
fn hash_of(key: &Key, written: &[u8]) -> Result<blake3::Hash, ClusterError> {
    let hash = std::str::from_utf8(written).ok();
    let hash = hash.and_then(|hash| blake3::Hash::from_hex(hash).ok());
    hash.ok_or_else(|| damaged(key, "it names no object"))
}

/// Bytes that a campaign may have on a server; -1 for as many as the server has.
struct Room {
    tasks: i64,
    keys: i64,
    objects: i64,
}

impl Room {
    /// Tasks are small. What is known of portions is in one bucket or the other by its size, which depends on the subject.
    fn of(quota: Option<u64>) -> Room {
        let share = |parts: u64| {
            let bytes = quota.map(|quota| (quota / 16).saturating_mul(parts));
            bytes.map_or(-1, |bytes| i64::try_from(bytes).unwrap_or(i64::MAX))
        };
        Room {
            tasks: share(1),
            keys: share(7),
            objects: share(8),
        }
    }
}

/// What a server says where something would be more than the room that a stream has.
const FULL: &str = "maximum bytes exceeded";

async fn begin(
    context: &Context,
    name: &str,
    lease: Duration,
    room: &Room,
) -> Result<(PullConsumer, kv::Store, ObjectStore), ClusterError> {
    let failed = |what| move |error: &dyn Display| ClusterError::server(what, error);
    let stream = stream::Config {
        name: format!("elw-{name}"),
        subjects: vec![format!("elw.{name}.task.*")],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        max_bytes: room.tasks,
        // What is in there is not to go for what comes.
        discard: DiscardPolicy::New,
        ..stream::Config::default()
    };
    let stream = context.get_or_create_stream(stream).await;
    let stream = stream.map_err(|error| failed("make a queue")(&error))?;
    let config = pull::Config {
        durable_name: Some("members".to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: lease,
        max_ack_pending: LEASED,
        max_waiting: WAITING,
        ..pull::Config::default()
    };
    let consumer = stream.get_or_create_consumer("members", config).await;
    let consumer = consumer.map_err(|error| failed("make a consumer")(&error))?;
    let bucket = format!("elw-{name}");
    let keys = kv::Config {
        bucket: bucket.clone(),
        storage: StorageType::File,
        max_bytes: room.keys,
        ..kv::Config::default()
    };
    let keys = match context.get_key_value(&bucket).await {
        Ok(keys) => keys,
        Err(_) => {
            let made = context.create_key_value(keys).await;
            made.map_err(|error| failed("make a bucket for names")(&error))?
        }
    };
    let objects = object_store::Config {
        bucket: bucket.clone(),
        storage: StorageType::File,
        max_bytes: room.objects,
        ..object_store::Config::default()
    };
    let objects = match context.get_object_store(&bucket).await {
        Ok(objects) => objects,
        Err(_) => {
            let made = context.create_object_store(objects).await;
            made.map_err(|error| failed("make a bucket for objects")(&error))?
        }
    };
    Ok((consumer, keys, objects))
}

impl Queue for Nats {
    fn put(&self, task: &Task) -> Result<(), ClusterError> {
        let subject = format!("elw.{}.task.{task}", self.name);
        self.patiently("take a task", || {
            // Of this task, the stream must have no message: it has one until the task is done.
            let message = PublishMessage::build().expected_last_subject_sequence(0);
            let sent = self.context.send_publish(subject.clone(), message);
            async {
                let taken = match sent.await {
                    Ok(sent) => sent.await.map(|_| ()),
                    Err(error) => Err(error),
                };
                match taken {
                    Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(()),
                    taken => taken,
                }
            }
        })
    }

    fn take(&self, wait: Duration) -> Result<Option<Box<dyn Lease>>, ClusterError> {
        let asking = async {
            if let Some(message) = self.next(LOOK).await {
                return Some(message);
            }
            let subject = format!("elw.{}.hungry", self.name);
            // Who does not hear of it hears of it the next time.
            let _ = self.client.publish(subject, "".into()).await;
            let _ = self.client.flush().await;
            self.next(wait).await
        };
        // Of a server that is away nothing may be heard for ever.
        let asked = async { tokio::time::timeout(wait + ANSWER, asking).await };
        let Some(message) = self.runtime.block_on(asked).ok().flatten() else {
            return Ok(None);
        };
        let name = message.subject.rsplit('.').next().unwrap_or_default();
        let Ok(task) = name.parse::<Task>() else {
            // None of ours has such a name: it is nothing to be explored.
            let _ = self.runtime.block_on(message.ack_with(AckKind::Term));
            return Ok(None);
        };
        // The server hears whoever had it before, too: that one is to know.
        let holder = Key::new(Kind::Holder, &task).to_string();
        let ours = RandomState::new().build_hasher().finish().to_le_bytes();
        self.patiently("keep a name", || {
            self.keys.put(holder.as_str(), ours.to_vec().into())
        })?;
        Ok(Some(Box::new(NatsLease {
            keys: self.keys.clone(),
            holder,
            ours,
            runtime: self.runtime.clone(),
            client: self.client.clone(),
            task,
            message,
            lease: self.lease,
            hungry: format!("elw.{}.hungry", self.name),
            listening: OnceLock::new(),
        })))
    }
}

struct NatsLease {
    keys: kv::Store,
    /// Where the last one to take the task says so, and what this one has said.
    holder: String,
    ours: [u8; 8],
    runtime: Arc<Runtime>,
    client: Client,
    task: Task,
    message: Message,
    lease: Duration,
    hungry: String,
    listening: OnceLock<Listening>,
}

/// Hears of members that have nothing to do.
struct Listening {
    waiting: Arc<AtomicBool>,
    task: JoinHandle<()>,
}

impl NatsLease {
    fn say(&self, what: AckKind) -> Result<(), ClusterError> {
        let said = self.runtime.block_on(self.message.ack_with(what));
        said.map_err(|error| ClusterError::server("hear of a task", error))
    }

    fn listen(&self) -> Listening {
        let waiting = Arc::new(AtomicBool::new(false));
        let heard = waiting.clone();
        let (client, subject) = (self.client.clone(), self.hungry.clone());
        let task = self.runtime.spawn(async move {
            let Ok(mut hungry) = client.queue_subscribe(subject, "busy".to_owned()).await else {
                return;
            };
            while hungry.next().await.is_some() {
                heard.store(true, Relaxed);
            }
        });
        Listening { waiting, task }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Lease for NatsLease {
    fn task(&self) -> &Task {
        &self.task
    }

    fn others_wait(&self) -> bool {
        // Whoever never asks has nothing to give, and is told of nobody.
        let waiting = &self.listening.get_or_init(|| self.listen()).waiting;
        waiting.load(Relaxed) && waiting.swap(false, Relaxed)
    }

    fn renew_after(&self) -> Option<Duration> {
        Some(self.lease / PART)
    }

    fn renew(&self) -> Result<bool, ClusterError> {
        let unheard = |why: &dyn Display| ClusterError::server("hear of a task", why);
        let reply = self.message.reply.clone();
        let reply = reply.ok_or_else(|| unheard(&"it does not ask"))?;
        self.runtime.block_on(async {
            let answer = self.client.request(reply, AckKind::Progress.into());
            let answer = tokio::time::timeout(self.lease / PART, answer).await;
            let answer = answer.map_err(|error| unheard(&error))?;
            answer.map_err(|error| unheard(&error))?;
            let holder = self.keys.get(self.holder.as_str()).await;
            let holder = holder.map_err(|error| unheard(&error))?;
            Ok(holder.is_none_or(|holder| holder == self.ours.as_slice()))
        })
    }

    fn done(&self) -> Result<(), ClusterError> {
        self.say(AckKind::Ack)
    }

    fn give_back(&self) -> Result<(), ClusterError> {
        self.say(AckKind::Nak(None))
    }
}

impl Store for Nats {
    fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, ClusterError> {
        let mut value = self.named(key)?;
        while let Some(said) = &value {
            if let Some(bytes) = self.content(key, said)? {
                return Ok(Some(bytes));
            }
            // Something else may have been kept under this name since we asked for it.
            let now = self.named(key)?;
            if now == value {
                return Err(damaged(key, "its object is not there"));
            }
            value = now;
        }
        Ok(None)
    }

    fn has(&self, key: &Key) -> Result<bool, ClusterError> {
        Ok(self.named(key)?.is_some())
    }

    fn get_each(&self, keys: &[Key]) -> Result<Vec<Got>, ClusterError> {
        let values = self.named_each(keys)?.into_iter().zip(keys);
        let contents = values.map(|(value, key)| match value.as_deref() {
            Some([HERE, bytes @ ..]) => Ok(Got::Bytes(bytes.to_vec())),
            Some(_) => Got::of(self.get(key)),
            None => Ok(Got::Nothing),
        });
        contents.collect()
    }

    fn has_each(&self, keys: &[Key]) -> Result<Vec<bool>, ClusterError> {
        let values = self.named_each(keys)?.into_iter();
        Ok(values.map(|value| value.is_some()).collect())
    }

    fn put(&self, key: &Key, bytes: &[u8]) -> Result<(), ClusterError> {
        let before = self.named(key)?;
        let (name, value) = (key.to_string(), self.value(key, bytes)?);
        self.patiently("keep a name", || {
            self.keys.put(name.as_str(), value.clone().into())
        })?;
        if before.as_deref() != Some(value.as_slice()) {
            self.forget_object(key, before.as_deref());
        }
        Ok(())
    }

    fn forget(&self, key: &Key) -> Result<(), ClusterError> {
        let before = self.named(key)?;
        let name = key.to_string();
        self.patiently("forget a name", || self.keys.purge(name.as_str()))?;
        self.forget_object(key, before.as_deref());
        Ok(())
    }

    fn put_new(&self, key: &Key, bytes: &[u8]) -> Result<bool, ClusterError> {
        let (name, value) = (key.to_string(), self.value(key, bytes)?);
        self.patiently("keep a name", || async {
            match self.keys.create(name.as_str(), value.clone().into()).await {
                Ok(_) => Ok(true),
                Err(error) if error.kind() == CreateErrorKind::AlreadyExists => {
                    // It may be ours: the answer to an earlier attempt may have been lost.
                    let there = self.keys.get(name.as_str()).await;
                    let there = there.map_err(|error| error.to_string())?;
                    Ok(there.is_some_and(|there| there == value))
                }
                Err(error) => Err(error.to_string()),
            }
        })
    }

    fn bucket(&self) -> Option<&Bucket> {
        self.bucket.as_ref()
    }
}
