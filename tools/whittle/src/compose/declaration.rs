//! Contracts and settings as sources declare them, by the macros of the crate `declaration`.
//!
//! A crate that depends on `declaration` is looked through for `contract!` and `settings!`. What these say in Rust is a
//! contract's row here: its name, its methods and their meaning.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::LineColumn;
use serde::{Deserialize, Serialize};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, Ident, Item, ItemTrait, Lit, LitBool, LitInt, LitStr, Meta, Token, TraitItem, TraitItemFn};

use super::component::Contract;
use super::parameter::{Parameter, Type, Value};
use crate::failure::{Doing, Failure};

/// The crate whose macros declare.
pub const CRATE: &str = "declaration";

/// Where a contract is declared, and what it asks of whoever fulfils it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Declaration {
    /// Its trait, with the crate: `machine::Clock`.
    pub interface: String,
    /// The trait's text.
    pub help: String,
    /// The file, absolute.
    pub file: PathBuf,
    /// The line in it, from 1.
    pub line: usize,
    /// Its methods, in their order.
    pub methods: Vec<Method>,
}

/// A method of a contract.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// As Rust writes it, in a line: `fn processor_time(&self, number: usize) -> u64`.
    pub signature: String,
    /// Its text.
    pub help: String,
    /// Whether a provider may leave it out.
    pub has_default: bool,
}

/// What a crate declares.
#[derive(Debug, Default)]
pub struct Declared {
    /// Its contracts.
    pub contracts: Vec<Contract>,
    /// Its settings by name.
    pub settings: BTreeMap<String, Parameter>,
    /// The files that declare something.
    pub files: Vec<PathBuf>,
}

/// Looks through the sources of the crate in `folder`.
pub fn read(package: &str, folder: &Path) -> Result<Declared, Failure> {
    let mut declared = Declared::default();
    walk(package, &folder.join("src"), &mut declared)?;
    Ok(declared)
}

fn walk(package: &str, folder: &Path, declared: &mut Declared) -> Result<(), Failure> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            walk(package, &path, declared)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).doing(format!("read {}", path.display()))?;
            let found = of_text(package, &path, &text, declared)
                .map_err(|error| Failure::ours(format!("{}:{}: {error}", path.display(), error.span().start().line)))?;
            declared.files.extend(found.then_some(path));
        }
    }
    Ok(())
}

/// Takes what a file declares; whether that is anything.
fn of_text(package: &str, path: &Path, text: &str, declared: &mut Declared) -> syn::Result<bool> {
    if !text.contains("declaration::") {
        return Ok(false);
    }
    let before = declared.contracts.len();
    for item in syn::parse_file(text)?.items {
        let Item::Macro(item) = item else { continue };
        let words: Vec<String> = item.mac.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let tokens = item.mac.tokens;
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [CRATE, "contract"] => {
                let source: ContractSource = syn::parse2(tokens)?;
                declared.contracts.push(source.contract(package, path, text));
            }
            [CRATE, "settings"] => {
                let source: SettingsSource = syn::parse2(tokens)?;
                declared.contracts.push(source.head.contract(None));
                declared.settings.extend(source.settings);
            }
            _ => {}
        }
    }
    Ok(declared.contracts.len() > before)
}

/// `clock = "the time";`
struct Head {
    is_own: bool,
    name: Ident,
    summary: LitStr,
}

impl Parse for Head {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let is_own = input.parse::<Option<Token![crate]>>()?.is_some();
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let summary = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok(Self { is_own, name, summary })
    }
}

impl Head {
    fn contract(&self, declaration: Option<Declaration>) -> Contract {
        let name = self.name.to_string();
        Contract {
            slot: Some(format!("provide_{name}")),
            named: (name == "heap").then(|| "provide_named_heap".to_owned()),
            summary: self.summary.value(),
            help: String::new(),
            name,
            slot_crate: None,
            declaration,
        }
    }
}

struct ContractSource {
    head: Head,
    interface: ItemTrait,
}

impl Parse for ContractSource {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self { head: input.parse()?, interface: input.parse()? })
    }
}

impl ContractSource {
    fn contract(&self, package: &str, path: &Path, text: &str) -> Contract {
        let package = package.replace('-', "_");
        let methods = self.interface.items.iter().filter_map(|item| match item {
            TraitItem::Fn(method) => Some(self::method(method, text)),
            _ => None,
        });
        let declaration = Declaration {
            interface: format!("{package}::{}", self.interface.ident),
            help: words(&self.interface.attrs),
            file: path.to_owned(),
            line: self.head.name.span().start().line,
            methods: methods.collect(),
        };
        let contract = self.head.contract(Some(declaration));
        Contract { slot_crate: self.head.is_own.then_some(package), ..contract }
    }
}

fn method(method: &TraitItemFn, text: &str) -> Method {
    let end = match (&method.default, &method.semi_token) {
        (Some(block), _) => block.brace_token.span.open().start(),
        (None, Some(mark)) => mark.span.start(),
        (None, None) => method.sig.paren_token.span.close().end(),
    };
    let begin = offset(text, method.sig.fn_token.span.start());
    let signature = text.get(begin..offset(text, end)).unwrap_or_default();
    let signature = signature.split_whitespace().collect::<Vec<_>>().join(" ");
    Method {
        name: method.sig.ident.to_string(),
        signature: signature.replace("( ", "(").replace(", )", ")"),
        help: words(&method.attrs),
        has_default: method.default.is_some(),
    }
}

/// Bytes before a place in a text.
fn offset(text: &str, place: LineColumn) -> usize {
    let lines = text.split_inclusive('\n');
    let before: usize = lines.clone().take(place.line.saturating_sub(1)).map(str::len).sum();
    let line = lines.clone().nth(place.line.saturating_sub(1)).unwrap_or_default();
    before + line.chars().take(place.column).map(char::len_utf8).sum::<usize>()
}

/// The text of doc comments.
fn words(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    lines.map(|line| line.strip_prefix(' ').map(str::to_owned).unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

struct SettingsSource {
    head: Head,
    settings: Vec<(String, Parameter)>,
}

impl Parse for SettingsSource {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let head = input.parse()?;
        Attribute::parse_outer(input)?;
        input.parse::<Token![pub]>()?;
        input.parse::<Token![struct]>()?;
        input.parse::<Ident>()?;
        let inner;
        syn::braced!(inner in input);
        let settings = inner.parse_terminated(setting, Token![,])?;
        Ok(Self { head, settings: settings.into_iter().collect() })
    }
}

/// `/// help` and `thread_stack: size = 64 K (at least 2 K)`.
fn setting(input: ParseStream<'_>) -> syn::Result<(String, Parameter)> {
    let help = words(&Attribute::parse_outer(input)?).replace('\n', " ");
    let name: Ident = input.parse()?;
    input.parse::<Token![:]>()?;
    let kind: Ident = input.parse()?;
    input.parse::<Token![=]>()?;
    let (kind, default) = match kind.to_string().as_str() {
        "bool" => (Type::Bool, Value::Bool(input.parse::<LitBool>()?.value)),
        "size" => (Type::Size, size(input)?),
        _ => return Err(syn::Error::new(kind.span(), "a setting is a bool or a size")),
    };
    let least = if input.peek(syn::token::Paren) {
        let inner;
        syn::parenthesized!(inner in input);
        inner.parse::<Ident>()?;
        inner.parse::<Ident>()?;
        Some(size(&inner)?)
    } else {
        None
    };
    let setting = Parameter { kind, default, stated: false, help, least, most: None, values: Vec::new() };
    Ok((name.to_string(), setting))
}

/// `64 K`, as whittle.toml writes it.
fn size(input: ParseStream<'_>) -> syn::Result<Value> {
    let number: LitInt = input.parse()?;
    let unit: Ident = input.parse()?;
    Ok(Value::Text(format!("{}{unit}", number.base10_digits())))
}
