//! Components and contracts as a layered graph, from left to right: who needs stands before who provides.
//!
//! Each contract of a provider is a node between its users and the provider, so that every label stands once. The steps
//! are those of Sugiyama, Tagawa and Toda (1981): layers, bends where an edge passes a layer, order, coordinates.

use std::collections::BTreeMap;

use super::order;

/// Space between layers, in pixels.
const BETWEEN_LAYERS: f64 = 30.0;
/// Space between neighbours in a layer, in pixels.
const BETWEEN_NODES: f64 = 12.0;
/// Width of a letter of the page's font in a box, in pixels; wide rather than narrow.
const LETTER: f64 = 7.4;

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A component.
    Component,
    /// A contract of the provider that follows.
    Contract,
    /// A place where an edge passes a layer.
    Bend,
}

/// A box of the drawing.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it stands for.
    pub kind: Kind,
    /// Its name.
    pub label: String,
    /// Its layer, from the left.
    pub layer: usize,
    /// Its left side.
    pub x: f64,
    /// Its middle.
    pub y: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

/// A drawing.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The boxes.
    pub nodes: Vec<Node>,
    /// The lines, each as the numbers of the boxes it joins and the bends between them.
    pub lines: Vec<Vec<usize>>,
    /// The drawing's width.
    pub width: f64,
    /// The drawing's height.
    pub height: f64,
}

impl Graph {
    /// Lays out components and the edges among them (who needs, which contract, who provides).
    #[must_use]
    pub fn new(components: &[&str], edges: &[(String, String, String)]) -> Self {
        let (mut graph, joins) = nodes(components, edges);
        graph.assign_layers(&joins);
        for (from, to) in joins {
            graph.line(from, to);
        }
        let mut layers = graph.layers();
        let steps = graph.steps();
        order::reduce_crossings(&mut layers, &steps, graph.nodes.len());
        graph.place(&layers, &steps);
        graph
    }

    /// Each node goes behind all that lead to it; an edge that would close a circle is not counted.
    fn assign_layers(&mut self, joins: &[(usize, usize)]) {
        let forward = order::without_circles(self.nodes.len(), joins);
        for _ in 0..self.nodes.len() {
            for &(from, to) in &forward {
                self.nodes[to].layer = self.nodes[to].layer.max(self.nodes[from].layer + 1);
            }
        }
        // A contract stands right before its provider.
        for &(from, to) in &forward {
            if self.nodes[from].kind == Kind::Contract {
                self.nodes[from].layer = self.nodes[to].layer - 1;
            }
        }
    }

    /// Joins two nodes, with a bend in each layer between.
    fn line(&mut self, from: usize, to: usize) {
        let mut line = vec![from];
        for layer in self.nodes[from].layer + 1..self.nodes[to].layer {
            line.push(self.nodes.len());
            self.nodes.push(Node { layer, ..node(Kind::Bend, "") });
        }
        line.push(to);
        self.lines.push(line);
    }

    fn layers(&self) -> Vec<Vec<usize>> {
        let count = self.nodes.iter().map(|node| node.layer + 1).max().unwrap_or(0);
        (0..count)
            .map(|layer| (0..self.nodes.len()).filter(|&node| self.nodes[node].layer == layer).collect())
            .collect()
    }

    /// The pieces of lines that go from one layer to the next.
    fn steps(&self) -> Vec<(usize, usize)> {
        let steps = self.lines.iter().flat_map(|line| line.windows(2)).map(|pair| (pair[0], pair[1]));
        steps.filter(|&(from, to)| self.nodes[from].layer + 1 == self.nodes[to].layer).collect()
    }

    /// Gives every node its coordinates.
    fn place(&mut self, layers: &[Vec<usize>], steps: &[(usize, usize)]) {
        let mut x = 0.0;
        for layer in layers {
            let width = layer.iter().map(|&node| self.nodes[node].width).fold(0.0, f64::max);
            for &node in layer {
                let own = if self.nodes[node].kind == Kind::Bend { width } else { self.nodes[node].width };
                (self.nodes[node].x, self.nodes[node].width) = (x + (width - own) / 2.0, own);
            }
            x += width + BETWEEN_LAYERS;
        }
        self.width = (x - BETWEEN_LAYERS).max(0.0);
        for _ in 0..24 {
            for layer in layers.iter().chain(layers.iter().rev()) {
                self.settle(layer, steps);
            }
        }
        let tops = self.nodes.iter().map(|node| node.y - node.height / 2.0);
        let top = tops.fold(f64::INFINITY, f64::min);
        self.nodes.iter_mut().for_each(|node| node.y -= top);
        self.height = self.nodes.iter().map(|node| node.y + node.height / 2.0).fold(0.0, f64::max);
    }

    /// Moves a layer's nodes towards the middle of their neighbours, in their order and apart.
    fn settle(&mut self, layer: &[usize], steps: &[(usize, usize)]) {
        let wanted: Vec<f64> = layer.iter().map(|&node| self.wanted(node, steps)).collect();
        let apart = |above: usize, below: usize| {
            (self.nodes[layer[above]].height + self.nodes[layer[below]].height) / 2.0 + BETWEEN_NODES
        };
        let (mut down, mut up) = (wanted.clone(), wanted);
        for index in 1..layer.len() {
            down[index] = down[index].max(down[index - 1] + apart(index - 1, index));
        }
        for index in (1..layer.len()).rev() {
            up[index - 1] = up[index - 1].min(up[index] - apart(index - 1, index));
        }
        // Both keep the distance, so their middle does.
        for (index, &node) in layer.iter().enumerate() {
            self.nodes[node].y = f64::midpoint(down[index], up[index]);
        }
    }

    fn wanted(&self, node: usize, steps: &[(usize, usize)]) -> f64 {
        let neighbours = steps.iter().filter_map(|&(from, to)| match node {
            _ if node == from => Some(to),
            _ if node == to => Some(from),
            _ => None,
        });
        let (count, sum) = neighbours.fold((0.0, 0.0), |(count, sum), other| (count + 1.0, sum + self.nodes[other].y));
        if count == 0.0 { self.nodes[node].y } else { sum / count }
    }
}

/// The nodes, and which are joined.
fn nodes(components: &[&str], edges: &[(String, String, String)]) -> (Graph, Vec<(usize, usize)>) {
    let mut graph = Graph::default();
    let mut joins = Vec::new();
    let mut named: BTreeMap<&str, usize> = BTreeMap::new();
    let both = edges.iter().flat_map(|(who, _, whom)| [who.as_str(), whom.as_str()]);
    for name in components.iter().copied().chain(both) {
        named.entry(name).or_insert_with(|| graph.add(Kind::Component, name));
    }
    let mut contracts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (who, contract, whom) in edges {
        let node = *contracts.entry((contract, whom)).or_insert_with(|| {
            let node = graph.add(Kind::Contract, contract);
            joins.push((node, named[whom.as_str()]));
            node
        });
        joins.push((named[who.as_str()], node));
    }
    joins.sort_unstable();
    joins.dedup();
    (graph, joins)
}

impl Graph {
    fn add(&mut self, kind: Kind, label: &str) -> usize {
        self.nodes.push(node(kind, label));
        self.nodes.len() - 1
    }
}

fn node(kind: Kind, label: &str) -> Node {
    let letters = label.chars().count() as f64 * LETTER;
    let (width, height) = match kind {
        Kind::Component => ((letters + 28.0).max(92.0), 42.0),
        Kind::Contract => (letters + 20.0, 22.0),
        Kind::Bend => (0.0, 4.0),
    };
    Node { kind, label: label.to_owned(), layer: 0, x: 0.0, y: 0.0, width, height }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(words: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
        words.iter().map(|&(who, contract, whom)| (who.into(), contract.into(), whom.into())).collect()
    }

    fn check(graph: &Graph) {
        for (index, one) in graph.nodes.iter().enumerate() {
            assert!(one.x.is_finite() && one.y.is_finite() && one.x >= 0.0 && one.x + one.width <= graph.width + 0.01);
            for other in graph.nodes[..index].iter().filter(|other| other.layer == one.layer) {
                let apart = (one.height + other.height) / 2.0;
                assert!((one.y - other.y).abs() >= apart, "{one:?} lies on {other:?}");
            }
        }
    }

    #[test]
    fn who_needs_stands_left_of_who_provides() {
        let edges = edges(&[
            ("rust", "console", "plain"),
            ("rust", "heap", "tlsf"),
            ("tlsf", "pages", "frames"),
            ("plain", "pages", "frames"),
            ("rust", "pages", "frames"),
        ]);
        let graph = Graph::new(&["rust", "plain", "tlsf", "frames", "alone"], &edges);
        check(&graph);
        let layer = |name: &str| graph.nodes.iter().find(|node| node.label == name).unwrap().layer;
        assert_eq!(["rust", "console", "plain", "pages", "frames"].map(layer), [0, 1, 2, 3, 4]);
        // One label for the contract that three need, and a line around the layers between for one of them.
        assert_eq!(graph.nodes.iter().filter(|node| node.label == "pages").count(), 1);
        assert_eq!(graph.nodes.iter().filter(|node| node.kind == Kind::Bend).count(), 2);
    }

    #[test]
    fn circles_and_strangers_are_drawn_too() {
        let edges = edges(&[("a", "x", "b"), ("b", "y", "a"), ("b", "x", "b"), ("c", "z", "stranger")]);
        let graph = Graph::new(&["a", "b", "c"], &edges);
        check(&graph);
        assert_eq!(graph.lines.len(), 7);
        check(&Graph::new(&[], &[]));
        check(&Graph::new(&["alone"], &[]));
    }
}
