//! Objects of a server, as whoever may write to a campaign may have left them: links, pieces that are not there, sizes that are
//! not true. What is not an object as it was put there is damaged, and found to be so soon.

use crate::access::ANSWER;
use crate::files::LARGEST;
use crate::names::Key;
use async_nats::jetstream::Context;
use async_nats::jetstream::object_store::{
    GetErrorKind, InfoErrorKind, Object, ObjectInfo, ObjectStore,
};
use futures_util::StreamExt;
use std::io::ErrorKind;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

/// Bytes that are read at a time.
const PIECE: usize = 128 << 10;
/// An object may take so long, and a second more for so many bytes.
const PATIENCE: Duration = Duration::from_secs(60);
const SLOWEST: u64 = 256 << 10;

/// Two names never share an object, so that one can be forgotten without the other.
pub fn object_name(key: &Key, hash: &str) -> String {
    format!("{key}-{hash}")
}

/// What there is under a name.
pub enum Found {
    Whole(Vec<u8>),
    Nothing,
    /// It was not put there by a member, or has lost something since.
    Damaged(&'static str),
}

/// Fetches one. An error is the server's, which may be away for a while.
pub async fn fetch(
    context: &Context,
    objects: &ObjectStore,
    stream: &str,
    name: &str,
) -> Result<Found, String> {
    let info = match look(objects, name).await? {
        Looked::There(info) => info,
        Looked::Nothing => return Ok(Found::Nothing),
        Looked::Damaged(why) => return Ok(Found::Damaged(why)),
    };
    if !has_all(context, stream, &info).await? {
        // It may have been replaced meanwhile.
        return Ok(match look(objects, name).await? {
            Looked::There(now) if now.nuid == info.nuid => {
                Found::Damaged("pieces of its object are not there")
            }
            Looked::Damaged(why) => Found::Damaged(why),
            Looked::There(_) | Looked::Nothing => Found::Nothing,
        });
    }
    let most = PATIENCE + Duration::from_secs(info.size as u64 / SLOWEST);
    let read = async {
        let object = match objects.get(name).await {
            Err(error) if error.kind() == GetErrorKind::NotFound => return Ok(Found::Nothing),
            object => object.map_err(|error| error.to_string())?,
        };
        match object.info.nuid == info.nuid {
            true => whole(object).await.map(Found::Whole),
            false => Ok(Found::Nothing),
        }
    };
    let read = timeout(most, read).await;
    read.map_err(|error| error.to_string())?
}

enum Looked {
    There(Box<ObjectInfo>),
    Nothing,
    Damaged(&'static str),
}

/// What is said of an object, before anything is done about it.
async fn look(objects: &ObjectStore, name: &str) -> Result<Looked, String> {
    let info = match objects.info(name).await {
        Ok(info) => info,
        Err(error) if error.kind() == InfoErrorKind::NotFound => return Ok(Looked::Nothing),
        Err(error) if error.to_string().contains("failed to decode") => {
            return Ok(Looked::Damaged("nothing is said of its object"));
        }
        Err(error) => return Err(error.to_string()),
    };
    let is_link = info
        .options
        .as_ref()
        .is_some_and(|options| options.link.is_some());
    // It becomes part of what the server is asked.
    let is_name = !info.nuid.is_empty() && info.nuid.bytes().all(|it| it.is_ascii_alphanumeric());
    Ok(match () {
        () if info.deleted => Looked::Nothing,
        () if is_link => Looked::Damaged("its object is a link"),
        () if info.size as u64 > LARGEST => Looked::Damaged("its object is too large"),
        () if !is_name => Looked::Damaged("nothing is said of its object"),
        () => Looked::There(Box::new(info)),
    })
}

/// Does the server have as many pieces as there are said to be? Of one that it has not, nothing is ever heard.
async fn has_all(context: &Context, stream: &str, info: &ObjectInfo) -> Result<bool, String> {
    let subject = format!("$O.{}.C.{}", info.bucket, info.nuid);
    let count = async {
        let stream = context.get_stream_no_info(stream).await;
        let stream = stream.map_err(|error| error.to_string())?;
        let known = stream.info_with_subjects(&subject).await;
        let mut known = known.map_err(|error| error.to_string())?;
        let mut pieces = 0;
        while let Some(more) = known.next().await {
            let (_, count) = more.map_err(|error| error.to_string())?;
            pieces += count;
        }
        Ok::<_, String>(pieces)
    };
    let pieces = timeout(ANSWER, count).await;
    Ok(pieces.map_err(|error| error.to_string())?? == info.chunks)
}

/// All that is read of an object, which is no more than it says.
async fn whole(mut object: Object) -> Result<Vec<u8>, String> {
    let most = object.info.size;
    let mut bytes = Vec::new();
    let mut piece = vec![0; PIECE];
    loop {
        // Of one that is forgotten meanwhile, nothing more is ever heard.
        let read = timeout(ANSWER, object.read(&mut piece)).await;
        match read.map_err(|error| error.to_string())? {
            Ok(0) => return Ok(bytes),
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
            // It is not what was put there, and will not be: whoever knows its hash sees that.
            Err(error) if error.kind() == ErrorKind::InvalidData => return Ok(bytes),
            Err(error) => return Err(error.to_string()),
        }
        if bytes.len() > most {
            return Ok(bytes);
        }
    }
}
