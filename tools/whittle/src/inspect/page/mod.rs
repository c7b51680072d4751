//! The report as one page for a browser: no network, no further file, and tables where there is no script.

mod drawing;
mod escape;
mod graph;
mod order;
mod rows;

use std::fmt::Write;

use super::report::{Leaf, Report};
use super::tables::{grouped, share};
use crate::failure::{Doing, Failure};
use escape::{escaped, in_script};
use graph::Graph;

const HEAD: &str = include_str!("head.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// A tree of bytes: crates, their modules, their functions.
type Tree<'a> = Vec<(&'a str, Vec<(&'a str, Vec<(&'a str, u64)>)>)>;

/// The whole page.
pub fn page(report: &Report) -> Result<String, Failure> {
    let trees = serde_json::json!({ "written": tree(&report.written), "linked": tree(&report.linked) });
    let trees = serde_json::to_string(&trees).doing("write the report as JSON")?;
    let sections = [head(report), treemap(report), components(report), tables(report), composition(report)].concat();
    Ok(format!(
        "{HEAD}<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{sections}{}\
         <script type=\"application/json\" id=\"trees\">{}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escaped(&report.title()),
        notes(report),
        in_script(&trees),
    ))
}

/// The name, and the file's parts as numbers and as a bar.
fn head(report: &Report) -> String {
    let bytes = &report.bytes;
    let parts = [
        ("text", bytes.text, "instructions"),
        ("constants", bytes.constants, "only read"),
        ("data", bytes.data, "read and written"),
        ("other", bytes.other, "headers and padding"),
    ];
    let mut html = format!("<header>\n<h1>{}</h1>\n<p class=\"facts\">", escaped(&report.name));
    let kind = report.kind.as_ref().map(|kind| format!("{kind} image"));
    let platform = report.platform.as_ref().map(|platform| format!("platform {platform}"));
    let count = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
    let counts = [count(report.components.len(), "components"), count(report.system_calls.len(), "system calls")];
    for fact in [kind, platform].into_iter().chain(counts).flatten() {
        let _ = write!(html, "<span>{}</span>", escaped(&fact));
    }
    html.push_str("</p>\n</header>\n<section class=\"parts\" aria-label=\"Bytes\">\n<div class=\"tiles\">\n");
    let tile = |class: &str, name: &str, bytes: u64, note: &str| {
        format!("<div class=\"tile {class}\"><span>{name}</span><b>{}</b><small>{note}</small></div>\n", grouped(bytes))
    };
    html.push_str(&tile("file", "file", bytes.file, "bytes to start"));
    parts.iter().for_each(|(name, bytes, note)| html.push_str(&tile(name, name, *bytes, note)));
    html.push_str(&tile("zeroed", "zeroed", bytes.zeroed, "memory, not in the file"));
    html.push_str("</div>\n<div class=\"bar\" role=\"img\" aria-label=\"Parts of the file\">");
    for (name, part, _) in parts {
        let (percent, share) = (part as f64 / bytes.file.max(1) as f64 * 100.0, share(part, bytes.file));
        let _ = write!(html, "<i class=\"{name}\" style=\"width:{percent:.2}%\" title=\"{name}: {share}\"></i>");
    }
    html + "</div>\n</section>\n"
}

/// Where the script draws; without a script nothing of it shows.
fn treemap(report: &Report) -> String {
    let total = report.bytes.file;
    format!(
        "<section class=\"scripted\" hidden>\n<h2>Where the bytes are</h2>\n<div class=\"bar-of-tools\">\n\
         <nav id=\"path\" aria-label=\"Shown part\"></nav>\n<fieldset><legend>Count code</legend>\
         <label><input type=\"radio\" name=\"tree\" value=\"written\" checked>where it was written</label>\
         <label><input type=\"radio\" name=\"tree\" value=\"linked\">in the function it is part of</label></fieldset>\n</div>\n\
         <div id=\"treemap\" data-total=\"{total}\"></div>\n<div id=\"tip\" role=\"status\" hidden></div>\n</section>\n"
    )
}

fn components(report: &Report) -> String {
    if report.components.is_empty() && report.edges.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = report.components.iter().map(|sized| &*sized.component.name).collect();
    let graph = drawing::drawing(&Graph::new(&names, &report.edges), &report.components);
    format!(
        "<section>\n<h2>Components</h2>\n<p>From left to right: who needs, which contract, who provides it.</p>\n\
         <div class=\"drawing\" tabindex=\"0\">{graph}</div>\n{}</section>\n",
        rows::components(report)
    )
}

fn tables(report: &Report) -> String {
    format!(
        "<section>\n<h2>Crates</h2>\n{}{}</section>\n<section>\n<h2>Functions</h2>\n{}</section>\n",
        rows::crates(report),
        rows::other(report),
        rows::functions(report)
    )
}

/// Settings, stages and system calls.
fn composition(report: &Report) -> String {
    let mut html = String::new();
    let values = report.values();
    if !values.is_empty() {
        html.push_str("<section>\n<h2>Settings</h2>\n<dl>\n");
        for (name, value) in values {
            let _ = writeln!(html, "<div><dt>{}</dt><dd><code>{}</code></dd></div>", escaped(&name), escaped(&value));
        }
        html.push_str("</dl>\n</section>\n");
    }
    html.push_str(&list("Boot stages", "ol", "stages", &report.stages));
    html + &list(&format!("{} system calls", report.system_calls.len()), "ul", "calls", &report.system_calls)
}

fn list(head: &str, element: &str, name: &str, words: &[String]) -> String {
    if words.is_empty() {
        return String::new();
    }
    let items: String = words.iter().map(|word| format!("<li><code>{}</code></li>\n", escaped(word))).collect();
    format!("<section>\n<h2>{head}</h2>\n<{element} id=\"{name}\" class=\"words\">\n{items}</{element}>\n</section>\n")
}

fn notes(report: &Report) -> String {
    let lines = if report.lines {
        ""
    } else {
        " This image has no line tables: its code counts for the crate of its function."
    };
    format!(
        "<footer>\n<p>Every byte of the file is in the table of crates once. There, code counts for the crate of its source \
         line, also where it was inlined elsewhere; constants and data count for the crate of their name. In the table of \
         functions, all bytes of a function count for it.{lines}</p>\n<p>A component has the bytes of its crate; one that \
         shares its crate has the modules named like it or like a contract it provides.</p>\n</footer>\n"
    )
}

/// Leaves come with the largest first, so that every level keeps about this order.
fn tree(leaves: &[Leaf]) -> Tree<'_> {
    let mut tree: Tree<'_> = Vec::new();
    for leaf in leaves {
        let modules = branch(&mut tree, &leaf.package);
        branch(modules, &leaf.module).push((&leaf.function, leaf.bytes));
    }
    tree
}

/// The contents of a branch by its name, made when there is none.
fn branch<'a, 'b, T>(branches: &'b mut Vec<(&'a str, Vec<T>)>, name: &'a str) -> &'b mut Vec<T> {
    let index = branches.iter().position(|branch| branch.0 == name).unwrap_or_else(|| {
        branches.push((name, Vec::new()));
        branches.len() - 1
    });
    &mut branches[index].1
}
