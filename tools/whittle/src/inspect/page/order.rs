//! Order within the layers of a graph: few crossings, by the barycentres of neighbours.

/// The edges without those that close a circle.
#[must_use]
pub fn without_circles(nodes: usize, edges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for &(from, to) in edges {
        if !reaches(nodes, &kept, to, from) {
            kept.push((from, to));
        }
    }
    kept
}

fn reaches(nodes: usize, edges: &[(usize, usize)], from: usize, goal: usize) -> bool {
    let mut seen = vec![false; nodes];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        if node == goal {
            return true;
        }
        if !std::mem::replace(&mut seen[node], true) {
            open.extend(edges.iter().filter(|edge| edge.0 == node).map(|edge| edge.1));
        }
    }
    false
}

/// Puts the nodes of each layer in an order with few crossings; never more than there were.
pub fn reduce_crossings(layers: &mut Vec<Vec<usize>>, steps: &[(usize, usize)], nodes: usize) {
    let mut best = (crossings(layers, steps, nodes), layers.clone());
    for round in 0..12 {
        let indices: Vec<usize> = if round % 2 == 0 {
            (1..layers.len()).collect()
        } else {
            (0..layers.len().saturating_sub(1)).rev().collect()
        };
        for index in indices {
            let places = places(layers, nodes);
            let centre = |node: usize| {
                let neighbours = steps.iter().filter_map(|&(from, to)| match round % 2 {
                    0 if to == node => Some(from),
                    1 if from == node => Some(to),
                    _ => None,
                });
                let (count, sum) = neighbours.fold((0, 0), |(count, sum), other| (count + 1, sum + places[other]));
                // A thousandth of a place is fine enough, and whole numbers have an order.
                (sum * 1000_usize).checked_div(count).unwrap_or(places[node] * 1000)
            };
            let mut layer = layers[index].clone();
            layer.sort_by_key(|&node| centre(node));
            layers[index] = layer;
        }
        let now = crossings(layers, steps, nodes);
        if now < best.0 {
            best = (now, layers.clone());
        }
    }
    *layers = best.1;
}

fn places(layers: &[Vec<usize>], nodes: usize) -> Vec<usize> {
    let mut places = vec![0; nodes];
    for layer in layers {
        layer.iter().enumerate().for_each(|(place, &node)| places[node] = place);
    }
    places
}

/// How many pairs of steps cross.
#[must_use]
pub fn crossings(layers: &[Vec<usize>], steps: &[(usize, usize)], nodes: usize) -> usize {
    let places = places(layers, nodes);
    let between = |layer: &Vec<usize>| {
        let steps: Vec<_> = steps.iter().filter(|step| layer.contains(&step.0)).collect();
        let cross = |one: &(usize, usize), other: &(usize, usize)| {
            let (from, to) = (places[one.0].cmp(&places[other.0]), places[one.1].cmp(&places[other.1]));
            from.is_ne() && to.is_ne() && from != to
        };
        steps
            .iter()
            .enumerate()
            .map(|(index, one)| steps[..index].iter().filter(|other| cross(one, other)).count())
            .sum::<usize>()
    };
    layers.iter().map(between).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_go_away_where_they_can() {
        let steps = [(0, 5), (1, 4), (2, 3), (3, 6), (4, 7), (5, 8)];
        let mut layers = vec![vec![0, 1, 2], vec![3, 4, 5], vec![7, 6, 8]];
        assert_eq!(crossings(&layers, &steps, 9), 4);
        reduce_crossings(&mut layers, &steps, 9);
        assert_eq!(crossings(&layers, &steps, 9), 0);
    }

    #[test]
    fn one_edge_of_a_circle_is_left_out() {
        assert_eq!(without_circles(3, &[(0, 1), (1, 2), (2, 0), (1, 1)]), [(0, 1), (1, 2)]);
    }
}
