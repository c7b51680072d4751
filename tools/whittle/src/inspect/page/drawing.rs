//! The component graph as SVG.

use std::fmt::Write;

use super::super::components::Sized;
use super::super::tables::grouped;
use super::escape::escaped;
use super::graph::{Graph, Kind, Node};

/// Room around the drawing, in pixels, for the outline of what has the focus.
const MARGIN: f64 = 4.0;

/// The drawing of a graph, whose boxes tell the components' bytes.
#[must_use]
pub fn drawing(graph: &Graph, components: &[Sized]) -> String {
    let (width, height) = (graph.width + 2.0 * MARGIN, graph.height + 2.0 * MARGIN);
    let corner = -MARGIN;
    // It shrinks with the window as long as it can be read, and then scrolls.
    let least = width * 0.72;
    let mut svg = format!(
        "<svg id=\"graph\" style=\"width:max(100%,{least:.0}px);max-width:{width:.0}px\" \
         viewBox=\"{corner} {corner} {width:.1} {height:.1}\" role=\"group\" \
         aria-label=\"Components from left to right: who needs, which contract, who provides\">\n"
    );
    for line in &graph.lines {
        let (Some(&first), Some(&last)) = (line.first(), line.last()) else { continue };
        let path = path(graph, line);
        // What closes a circle goes back to the left.
        let class = if graph.nodes[first].layer < graph.nodes[last].layer { "line" } else { "line back" };
        let _ = writeln!(svg, "<path class=\"{class}\" data-from=\"{first}\" data-to=\"{last}\" d=\"{path}\"/>");
    }
    for (number, node) in graph.nodes.iter().enumerate() {
        match node.kind {
            Kind::Component => svg.push_str(&component(number, node, components)),
            Kind::Contract => svg.push_str(&contract(number, node)),
            Kind::Bend => {}
        }
    }
    svg + "</svg>\n"
}

fn component(number: usize, node: &Node, components: &[Sized]) -> String {
    let known = components.iter().find(|sized| sized.component.name == node.label);
    let note = known.map(note).unwrap_or_default();
    let summary = known.map_or("", |sized| &sized.component.summary);
    let class =
        if known.is_some_and(|sized| sized.component.chosen == "kind") { "component kind" } else { "component" };
    let middle = node.x + node.width / 2.0;
    format!(
        "<g class=\"{class}\" data-node=\"{number}\" tabindex=\"0\"><title>{}</title>{}\
         <text x=\"{middle:.1}\" y=\"{:.1}\">{}</text><text class=\"note\" x=\"{middle:.1}\" y=\"{:.1}\">{note}</text></g>\n",
        escaped(&format!("{}: {summary}", node.label)),
        rectangle(node, 7.0),
        node.y - 3.0,
        escaped(&node.label),
        node.y + 13.0,
    )
}

/// The bytes of a component; where they cannot be told from those of its crate, the crate.
fn note(sized: &Sized) -> String {
    if sized.bytes == 0 && sized.shared > 0 {
        return escaped(&format!("in {}", sized.component.package));
    }
    format!("{} bytes", grouped(sized.bytes))
}

fn contract(number: usize, node: &Node) -> String {
    format!(
        "<g class=\"contract\" data-node=\"{number}\">{}<text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>\n",
        rectangle(node, node.height / 2.0),
        node.x + node.width / 2.0,
        node.y + 4.0,
        escaped(&node.label),
    )
}

fn rectangle(node: &Node, round: f64) -> String {
    let (x, y, width, height) = (node.x, node.y - node.height / 2.0, node.width, node.height);
    format!("<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{round}\"/>")
}

/// A smooth line through bends, from the right side of the first box to the left side of the last.
fn path(graph: &Graph, line: &[usize]) -> String {
    let mut path = String::new();
    for pair in line.windows(2) {
        let (from, to) = (&graph.nodes[pair[0]], &graph.nodes[pair[1]]);
        let (begin, end) = (from.x + from.width, to.x);
        if path.is_empty() {
            let _ = write!(path, "M{begin:.1} {:.1}", from.y);
        } else {
            // Straight past the boxes of the layer.
            let _ = write!(path, "H{begin:.1}");
        }
        let middle = f64::midpoint(begin, end);
        let (leave, arrive) = if end > begin { (middle, middle) } else { (begin + 40.0, end - 40.0) };
        let _ = write!(path, "C{leave:.1} {:.1} {arrive:.1} {:.1} {end:.1} {:.1}", from.y, to.y, to.y);
    }
    path
}
