//! Errors of input and output.

use alloc_crate::{boxed::Box, collections::TryReserveError, ffi::NulError};
use core::{error, fmt, mem, mem::ManuallyDrop, result};

use super::{ErrorKind, kind::of_number};

/// What an operation of input or output returns.
pub type Result<T> = result::Result<T, Error>;

type Payload = Box<dyn error::Error + Send + Sync>;

/// An error of input or output.
///
/// A program without a heap can have errors too: only one with a value of its own ([`Error::new`]) is on the heap,
/// and only code that makes such errors refers to the heap.
pub struct Error {
    content: ManuallyDrop<Content>,
}

enum Content {
    Simple(ErrorKind),
    Message(&'static Message),
    Number(i32),
    /// `release` drops the content. It is reached by its address alone, so that code which only hands errors on does
    /// not pull the heap into the image.
    Custom {
        kind: ErrorKind,
        payload: Box<Payload>,
        release: fn(&mut Content),
    },
}

/// A kind and a sentence that cost nothing to make an error of.
#[derive(Debug)]
pub(crate) struct Message {
    pub kind: ErrorKind,
    pub text: &'static str,
}

impl Message {
    /// The error.
    pub const fn error(&'static self) -> Error {
        Error::from_content(Content::Message(self))
    }
}

impl Error {
    const fn from_content(content: Content) -> Self {
        Self { content: ManuallyDrop::new(content) }
    }

    /// An error with a value of the application's.
    pub fn new<E: Into<Payload>>(kind: ErrorKind, error: E) -> Self {
        let release = |content: &mut Content| drop(mem::replace(content, Content::Simple(ErrorKind::Other)));
        Self::from_content(Content::Custom { kind, payload: Box::new(error.into()), release })
    }

    /// An error of kind [`ErrorKind::Other`].
    pub fn other<E: Into<Payload>>(error: E) -> Self {
        Self::new(ErrorKind::Other, error)
    }

    /// The error with that Linux number (errno(3)).
    #[must_use]
    pub const fn from_raw_os_error(number: i32) -> Self {
        Self::from_content(Content::Number(number))
    }

    /// The number it was made from, if it was.
    #[must_use]
    pub fn raw_os_error(&self) -> Option<i32> {
        match &*self.content {
            Content::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match &*self.content {
            Content::Simple(kind) | Content::Custom { kind, .. } => *kind,
            Content::Message(message) => message.kind,
            Content::Number(number) => of_number(*number),
        }
    }

    /// The application's value in it.
    #[must_use]
    pub fn get_ref(&self) -> Option<&(dyn error::Error + Send + Sync + 'static)> {
        match &*self.content {
            Content::Custom { payload, .. } => Some(&***payload),
            _ => None,
        }
    }

    /// The application's value in it.
    pub fn get_mut(&mut self) -> Option<&mut (dyn error::Error + Send + Sync + 'static)> {
        match &mut *self.content {
            Content::Custom { payload, .. } => Some(&mut ***payload),
            _ => None,
        }
    }

    /// The application's value in it, taken out.
    #[must_use]
    pub fn into_inner(mut self) -> Option<Payload> {
        match mem::replace(&mut *self.content, Content::Simple(ErrorKind::Other)) {
            Content::Custom { payload, .. } => Some(*payload),
            _ => None,
        }
    }

    /// The application's value in it, taken out if it is an `E`; else the error again.
    ///
    /// # Errors
    /// The error itself.
    pub fn downcast<E: error::Error + Send + Sync + 'static>(self) -> result::Result<E, Self> {
        if !self.get_ref().is_some_and(|error| error.is::<E>()) {
            return Err(self);
        }
        let kind = self.kind();
        match self.into_inner().map(|payload| payload.downcast::<E>()) {
            Some(Ok(error)) => Ok(*error),
            Some(Err(payload)) => Err(Self::new(kind, payload)),
            None => Err(kind.into()),
        }
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.kind() == ErrorKind::Interrupted
    }
}

impl Drop for Error {
    fn drop(&mut self) {
        if let Content::Custom { release, .. } = *self.content {
            release(&mut self.content);
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.content {
            Content::Simple(kind) => formatter.debug_tuple("Kind").field(kind).finish(),
            Content::Message(Message { kind, text }) => {
                formatter.debug_struct("Error").field("kind", kind).field("message", text).finish()
            }
            Content::Number(number) => formatter
                .debug_struct("Os")
                .field("code", number)
                .field("kind", &self.kind())
                .field("message", &self.kind().description())
                .finish(),
            Content::Custom { kind, payload, .. } => {
                formatter.debug_struct("Custom").field("kind", kind).field("error", payload).finish()
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.content {
            Content::Simple(kind) => formatter.write_str(kind.description()),
            Content::Message(message) => formatter.write_str(message.text),
            Content::Number(number) => write!(formatter, "{} (os error {number})", self.kind().description()),
            Content::Custom { payload, .. } => payload.fmt(formatter),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.get_ref()?.source()
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self::from_content(Content::Simple(kind))
    }
}

impl From<NulError> for Error {
    fn from(_: NulError) -> Self {
        const NUL: Message = Message { kind: ErrorKind::InvalidInput, text: "data provided contains a nul byte" };
        NUL.error()
    }
}

impl From<TryReserveError> for Error {
    fn from(_: TryReserveError) -> Self {
        ErrorKind::OutOfMemory.into()
    }
}
