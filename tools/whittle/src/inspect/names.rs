//! Names of functions and files as a reader wants them: short, and with the crate and module they belong to.

use rustc_demangle::try_demangle;

/// Brackets nested deeper than in any name that a person wrote stay as they are.
const DEEPEST: usize = 48;

/// Where code or data belongs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The crate, with underscores.
    pub package: String,
    /// The module's path below the crate, empty for its root.
    pub module: String,
    /// The function or the variable.
    pub function: String,
}

/// A linker's name as Rust writes it, without hashes; generics and the paths of types inside are shortened.
#[must_use]
pub fn readable(symbol: &str) -> String {
    match try_demangle(symbol) {
        Ok(name) => {
            let name = format!("{name:#}");
            if depth(&name) > DEEPEST { name } else { shorten(&name) }
        }
        Err(_) => symbol.to_owned(),
    }
}

fn depth(name: &str) -> usize {
    let depths = name.bytes().scan(0_usize, |depth, byte| {
        match byte {
            b'<' => *depth += 1,
            b'>' => *depth = depth.saturating_sub(1),
            _ => {}
        }
        Some(*depth)
    });
    depths.max().unwrap_or(0)
}

/// The name without the contents of generics: `BTreeMap<K,V>::insert` becomes `BTreeMap<…>::insert`.
fn shorten(name: &str) -> String {
    let mut short = String::new();
    let mut rest = name;
    while let Some(open) = rest.find('<') {
        short.push_str(&rest[..open]);
        let (inside, behind) = bracket(&rest[open..]);
        rest = behind;
        if short.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
            short.push_str("<…>");
        } else if let Some(implementor) = inside.strip_prefix("impl ") {
            short.push_str(&format!("<impl {}>", qualified(implementor, false)));
        } else if short.is_empty() {
            short.push_str(&of_type(inside));
        } else if short.ends_with("::") {
            // The generics of a function say little to who looks for bytes.
            short.truncate(short.len() - 2);
        }
    }
    short + rest
}

/// The words of `<Type as Trait>` or `<Type>` at a name's start.
fn of_type(inside: &str) -> String {
    let short = qualified(inside, true);
    let plain = short.chars().all(|letter| letter.is_alphanumeric() || "_:<…>".contains(letter));
    if plain { short } else { format!("<{short}>") }
}

/// `Type as Trait` with short types; a leading type keeps its path, which says where it is from.
fn qualified(text: &str, keep_path: bool) -> String {
    let (own, behind) = match (split(text, " as "), split(text, " for ")) {
        (Some((own, of)), _) => (own, format!(" as {}", last(of))),
        (None, Some((own, of))) => (own, format!(" for {}", last(of))),
        _ => (text, String::new()),
    };
    let own = if keep_path { shorten(own) } else { last(own) };
    own + &behind
}

/// A type without its path: `&alloc::vec::Vec<u8>` becomes `&Vec<…>`.
fn last(text: &str) -> String {
    let short = shorten(text);
    let start = short.find(|letter: char| letter.is_alphanumeric() || letter == '_').unwrap_or(0);
    let (sign, path) = short.split_at(start);
    let end =
        path.find(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == ':')).unwrap_or(path.len());
    let name = path[..end].rsplit("::").next().unwrap_or(path);
    format!("{sign}{name}{}", &path[end..])
}

/// What stands in the bracket at the start of `text`, and what follows it. `->` closes nothing.
fn bracket(text: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&text[1..at], &text[at + 1..]);
        }
        before = letter;
    }
    (&text[1..], "")
}

/// Splits at a word that stands outside of brackets.
fn split<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    text.match_indices(word)
        .map(|(at, _)| (&text[..at], &text[at + word.len()..]))
        .find(|(left, _)| left.matches('<').count() == left.matches('>').count() - left.matches("->").count())
}

/// The place that a readable name tells: its crate, its modules, and the rest as the function. None for a name that is
/// no path of Rust.
#[must_use]
pub fn place(name: &str) -> Option<Place> {
    let start = name.find(|letter: char| letter.is_ascii_alphabetic() || letter == '_')?;
    let head = &name[start..];
    let head = ["mut ", "dyn ", "const "].iter().fold(head, |head, word| head.strip_prefix(word).unwrap_or(head));
    let begin = name.len() - head.len();
    let end = head.find(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == ':'));
    let path = head[..end.unwrap_or(head.len())].trim_end_matches(':');
    let segments: Vec<&str> = path.split("::").collect();
    let (package, inner) =
        segments.split_first().filter(|(package, inner)| !package.is_empty() && !inner.is_empty())?;
    // The last segment names the item itself, unless an `impl` follows, whose path is a module's.
    let items = if head[path.len()..].starts_with("::<impl") { inner } else { &inner[..inner.len() - 1] };
    let modules = items.iter().take_while(|segment| segment.starts_with(|letter: char| letter.is_lowercase())).count();
    let module = inner[..modules].join("::");
    let skipped = package.len() + 2 + if modules == 0 { 0 } else { module.len() + 2 };
    let function = format!("{}{}", &name[..begin], &name[begin + skipped.min(head.len())..]);
    Some(Place { package: (*package).to_owned(), module, function })
}

/// The name of the function that a closure stands in.
#[must_use]
pub fn without_closures(name: &str) -> &str {
    let mut name = name;
    while let Some(outer) = name.strip_suffix("::{{closure}}").or_else(|| name.strip_suffix("::{closure#0}")) {
        name = outer;
    }
    name
}

/// The crate's name that cargo's folder of a dependency tells: `spin-0.12.0` is `spin`.
#[must_use]
pub fn of_folder(folder: &str) -> String {
    let name = match folder.rsplit_once('-') {
        Some((name, version)) if version.contains('.') && version.starts_with(|digit: char| digit.is_ascii_digit()) => {
            name
        }
        _ => folder,
    };
    name.replace('-', "_")
}

/// The module that a source file below a crate's `src` is.
#[must_use]
pub fn module_of(file: &str) -> String {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if matches!(path, "lib" | "main" | "mod") { String::new() } else { path.replace('/', "::") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_keep_where_they_are_from() {
        for (long, short) in [
            ("a::b::Map<K,V>::insert", "a::b::Map<…>::insert"),
            ("<a::b::Running as c::Processes>::text", "<a::b::Running as Processes>::text"),
            ("<a::Port<T> as core::ops::Drop<X<Y>>>::drop", "<a::Port<…> as Drop<…>>::drop"),
            ("a::map::<impl b::space::Space<T>>::map", "a::map::<impl Space<…>>::map"),
            ("a::map::<impl c::From<u8> for b::Space>::from", "a::map::<impl From<…> for Space>::from"),
            ("<a::Text>::push", "a::Text::push"),
            ("a::call::<fn(u8) -> u8, &[b::C<D>]>", "a::call"),
            ("<&mut dyn a::B as c::D>::e", "<&mut dyn a::B as D>::e"),
            ("a::b::{{closure}}", "a::b::{{closure}}"),
            ("unclosed<a", "unclosed<…>"),
        ] {
            assert_eq!(shorten(long), short, "{long}");
        }
    }

    #[test]
    fn names_tell_their_place() {
        for (name, package, module, function) in [
            ("a::b::Map<…>::insert", "a", "b", "Map<…>::insert"),
            ("a::main", "a", "", "main"),
            ("a::b::c::{{closure}}", "a", "b", "c::{{closure}}"),
            ("a::map::<impl Space<…>>::map", "a", "map", "<impl Space<…>>::map"),
            ("<a::b::Running as Processes>::text", "a", "b", "<Running as Processes>::text"),
            ("<&mut dyn a::B as D>::e", "a", "", "<&mut dyn B as D>::e"),
        ] {
            let place = place(name).unwrap();
            assert_eq!((&*place.package, &*place.module, &*place.function), (package, module, function), "{name}");
        }
        for name in ["memcpy", "", "_", "<>", "…::x", "1::2"] {
            assert_eq!(place(name), None, "{name}");
        }
    }

    #[test]
    fn symbols_without_sense_are_left_alone() {
        assert_eq!(readable("whittle.provide_heap.grow"), "whittle.provide_heap.grow");
        assert_eq!(readable("_ZN1a1b17h0123456789abcdefE"), "a::b");
        let nested = format!("_ZN{}{}17h0123456789abcdefE", 4 * 5000, "$LT$".repeat(5000));
        assert!(readable(&nested).starts_with('<'));
    }

    #[test]
    fn files_are_modules() {
        for (file, module) in [("lib.rs", ""), ("main.rs", ""), ("memory/map.rs", "memory::map"), ("a/mod.rs", "a")] {
            assert_eq!(module_of(file), module);
        }
        for (folder, package) in [("spin-0.12.0", "spin"), ("linux-abi", "linux_abi"), ("core", "core")] {
            assert_eq!(of_folder(folder), package);
        }
    }
}
