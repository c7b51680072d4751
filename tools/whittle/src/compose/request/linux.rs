//! `[linux]`: the program of an image of kind `linux`, and what it is given.

use super::super::parameter::Value;
use super::table::{Node, Table};
use super::{Located, failure, texts};
use crate::failure::Failure;
use crate::words::Size;

/// What `[linux]` says.
#[derive(Clone, Debug, Default)]
pub struct Linux {
    /// The line of the table; 0 if there is none.
    pub line: usize,
    /// The program on the host, relative to whittle.toml. Without one it comes at run time.
    pub program: Option<Located<String>>,
    /// The program's arguments, its own name left out.
    pub arguments: Vec<String>,
    /// The program's environment.
    pub environment: Vec<(String, String)>,
    /// Files and folders of the host by their place in the guest.
    pub files: Vec<(String, Located<String>)>,
    /// The folder the program starts in.
    pub workdir: Option<String>,
    /// The limit of memory in bytes.
    pub memory: Option<u64>,
    /// A file of sites on the host, relative to whittle.toml.
    pub sites: Option<Located<String>>,
    /// Whether the program's musl is one whose system calls are calls.
    pub libc: bool,
    /// Names and families of the system calls that the image answers; every one if not said.
    pub system_calls: Option<Vec<Located<String>>>,
}

impl Linux {
    pub(super) fn take(top: &mut Table<'_>) -> Result<Self, Failure> {
        let Some(node) = top.take("linux") else { return Ok(Self::default()) };
        let line = node.line;
        let mut table = node.table()?;
        let linux = Self {
            line,
            program: table.take("program").map(Node::text).transpose()?,
            arguments: words(table.take("arguments"))?,
            environment: pairs(table.take("environment"))?.into_iter().map(|(name, text)| (name, text.value)).collect(),
            files: guest_files(table.take("files"))?,
            workdir: table.take("workdir").map(folder).transpose()?,
            memory: table.take("memory").map(size).transpose()?,
            sites: table.take("sites").map(Node::text).transpose()?,
            libc: table.take("libc").map(switch).transpose()?.unwrap_or(false),
            system_calls: table.take("system_calls").map(system_calls).transpose()?.flatten(),
        };
        table.end()?;
        Ok(linux)
    }
}

fn words(node: Option<Node<'_>>) -> Result<Vec<String>, Failure> {
    let words = node.map(Node::list).transpose()?.unwrap_or_default();
    Ok(words.into_iter().map(|word| word.value).collect())
}

fn pairs(node: Option<Node<'_>>) -> Result<Vec<(String, Located<String>)>, Failure> {
    node.map_or_else(|| Ok(Vec::new()), |node| texts(node.table()?))
}

fn guest_files(node: Option<Node<'_>>) -> Result<Vec<(String, Located<String>)>, Failure> {
    let Some(node) = node else { return Ok(Vec::new()) };
    let file = node.file;
    let files = pairs(Some(node))?;
    match files.iter().find(|(guest, _)| !guest.starts_with('/')) {
        None => Ok(files),
        Some((guest, host)) => {
            Err(failure(file, host.line, &format!("the path in the image must begin with /, as in \"/{guest}\"")))
        }
    }
}

fn folder(node: Node<'_>) -> Result<String, Failure> {
    let (file, word) = (node.file, node.text()?);
    if word.value.starts_with('/') {
        return Ok(word.value);
    }
    Err(failure(file, word.line, &format!("workdir `{}` must begin with /", word.value)))
}

fn switch(node: Node<'_>) -> Result<bool, Failure> {
    let (file, word) = (node.file, node.value()?);
    match word.value {
        Value::Bool(switch) => Ok(switch),
        _ => Err(failure(file, word.line, "libc is true or false")),
    }
}

fn size(node: Node<'_>) -> Result<u64, Failure> {
    let (file, word) = (node.file, node.text()?);
    let size = word.value.parse::<Size>();
    size.map(|size| size.0).map_err(|error| failure(file, word.line, &format!("memory `{}`: {error}", word.value)))
}

/// A list of names and families, one of them, or `"all"`.
fn system_calls(node: Node<'_>) -> Result<Option<Vec<Located<String>>>, Failure> {
    if !node.is_text() {
        return node.list().map(Some);
    }
    let word = node.text()?;
    Ok((word.value != "all").then(|| vec![word]))
}
