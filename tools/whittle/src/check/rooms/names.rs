//! Finds what code names of its own crate: in `use`, in paths, and in what stands between the brackets of macros.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ImplItem, Item, ItemUse, Macro, Path, TraitItem, UseTree, Visibility};

use super::source::{Place, only_tests};

/// What the code of one module names.
pub struct Names<'a> {
    module: &'a Place,
    /// Lines, and places from the crate's root on.
    pub found: Vec<(usize, Place)>,
    /// Names of items of the crate that other modules can take from here: first `crate`, or a path from here on.
    pub handed_on: Vec<(String, Place)>,
}

impl<'a> Names<'a> {
    /// Nothing yet.
    pub fn new(module: &'a Place) -> Self {
        Self { module, found: Vec::new(), handed_on: Vec::new() }
    }

    /// What a path means from this module on: a place from the root, or `None` for another crate's or what is near.
    fn absolute(&self, words: &[String]) -> Option<Place> {
        let up = words.iter().take_while(|word| *word == "super").count();
        match words.first()?.as_str() {
            "crate" => Some(words[1..].to_vec()),
            "self" => {
                let rest = self.absolute(&words[1..]);
                rest.or_else(|| Some([self.module, &words[1..]].concat()))
            }
            "super" => {
                let kept = self.module.len().checked_sub(up)?;
                Some([&self.module[..kept], &words[up..]].concat())
            }
            _ => None,
        }
    }

    fn note(&mut self, span: Span, words: &[String]) {
        if let Some(place) = self.absolute(words) {
            self.found.push((span.start().line, place));
        }
    }

    fn tree(&mut self, tree: &UseTree, before: &[String], hands_on: bool) {
        let with = |name: String| [before, &[name]].concat();
        let (span, words, name) = match tree {
            UseTree::Path(path) => return self.tree(&path.tree, &with(path.ident.to_string()), hands_on),
            UseTree::Group(group) => return group.items.iter().for_each(|tree| self.tree(tree, before, hands_on)),
            UseTree::Name(name) if name.ident == "self" => {
                (name.ident.span(), before.to_vec(), before.last().cloned().unwrap_or_default())
            }
            UseTree::Name(name) => (name.ident.span(), with(name.ident.to_string()), name.ident.to_string()),
            UseTree::Rename(name) => (name.ident.span(), with(name.ident.to_string()), name.rename.to_string()),
            UseTree::Glob(glob) => (glob.star_token.spans[0], before.to_vec(), "*".to_owned()),
        };
        self.note(span, &words);
        if hands_on {
            let absolute = self.absolute(&words).map(|place| [vec!["crate".to_owned()], place].concat());
            self.handed_on.push((name, absolute.unwrap_or(words)));
        }
    }

    /// Looks through the words of a macro for paths that begin as paths within a crate do.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let (mut begin, mut colons) = (Span::call_site(), 0);
        for token in tokens {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == ':' && !path.is_empty() && colons < 2 => colons += 1,
                TokenTree::Ident(word) if !path.is_empty() && colons == 2 => {
                    path.push(word.to_string());
                    colons = 0;
                }
                other => {
                    self.note(begin, &path);
                    (path, colons) = (Vec::new(), 0);
                    match other {
                        TokenTree::Ident(word) if word == "crate" || word == "super" || word == "self" => {
                            begin = word.span();
                            path.push(word.to_string());
                        }
                        TokenTree::Group(group) => self.tokens(group.stream()),
                        _ => {}
                    }
                }
            }
        }
        self.note(begin, &path);
    }
}

impl<'ast> Visit<'ast> for Names<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes: &[Attribute] = match item {
            Item::Const(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Macro(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Static(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            Item::Trait(item) => &item.attrs,
            Item::Type(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &[],
        };
        if !only_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes: &[Attribute] = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            _ => &[],
        };
        if !only_tests(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let attributes: &[Attribute] = match item {
            TraitItem::Fn(item) => &item.attrs,
            _ => &[],
        };
        if !only_tests(attributes) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        let attributes: &[Attribute] = match expression {
            Expr::Block(block) => &block.attrs,
            _ => &[],
        };
        if !only_tests(attributes) {
            visit::visit_expr(self, expression);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.tree(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if path.segments.len() > 1 {
            let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.note(path.segments[0].ident.span(), &words);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invocation: &'ast Macro) {
        self.visit_path(&invocation.path);
        self.tokens(invocation.tokens.clone());
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}
