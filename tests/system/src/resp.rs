//! The protocol of redis, as far as tests speak it: commands, and what comes back
//! (<https://redis.io/docs/latest/develop/reference/protocol-spec/>). A library would keep what is sent and what comes
//! to itself, and these tests are about just that.

use std::io::{self, BufRead};

/// What comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A word or a number, without its mark.
    Line(String),
    /// An error, without its mark.
    Error(String),
    /// Bytes.
    Text(Vec<u8>),
    /// Nothing, where bytes or a list might be.
    Nothing,
    /// Several.
    List(Vec<Self>),
}

/// A command of these words.
#[must_use]
pub fn command(words: &[&[u8]]) -> Vec<u8> {
    let mut bytes = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        bytes.extend(format!("${}\r\n", word.len()).into_bytes());
        bytes.extend_from_slice(word);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes
}

/// Reads one answer.
///
/// # Errors
/// The stream's own, its end in the middle, and what is no answer.
pub fn read(stream: &mut impl BufRead) -> io::Result<Answer> {
    let mut line = Vec::new();
    stream.read_until(b'\n', &mut line)?;
    // An error may quote what was asked, whatever that was.
    let whole = &*String::from_utf8_lossy(line.strip_suffix(b"\r\n").ok_or(io::ErrorKind::UnexpectedEof)?);
    let wrong = || io::Error::other(format!("no answer of redis': {whole:?}"));
    let (mark, rest) = whole.split_at_checked(1).ok_or_else(wrong)?;
    let length = || rest.parse::<i64>().map_err(|_| wrong());
    Ok(match mark {
        "+" | ":" => Answer::Line(rest.into()),
        "-" => Answer::Error(rest.into()),
        "$" | "*" if length()? < 0 => Answer::Nothing,
        "$" => {
            let mut text = vec![0; length()? as usize + 2];
            stream.read_exact(&mut text)?;
            text.truncate(text.len() - 2);
            Answer::Text(text)
        }
        "*" => Answer::List((0..length()?).map(|_| read(stream)).collect::<Result<_, _>>()?),
        _ => return Err(wrong()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let mut bytes: &[u8] = b"+OK\r\n:12\r\n-ERR no\r\n$2\r\n\r\n\r\n$-1\r\n*2\r\n$1\r\na\r\n*-1\r\n+cut";
        let mut next = || read(&mut bytes);
        assert_eq!(next().unwrap(), Answer::Line("OK".into()));
        assert_eq!(next().unwrap(), Answer::Line("12".into()));
        assert_eq!(next().unwrap(), Answer::Error("ERR no".into()));
        assert_eq!(next().unwrap(), Answer::Text(b"\r\n".to_vec()));
        assert_eq!(next().unwrap(), Answer::Nothing);
        assert_eq!(next().unwrap(), Answer::List(vec![Answer::Text(b"a".to_vec()), Answer::Nothing]));
        assert_eq!(next().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn commands_are_written() {
        assert_eq!(command(&[b"GET", b""]), b"*2\r\n$3\r\nGET\r\n$0\r\n\r\n");
    }
}
