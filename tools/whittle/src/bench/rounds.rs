//! Measuring several sides in turn: machines are shared and drift, so a comparison holds only between neighbours.
//!
//! In each round every operation is measured on all sides, one right behind the other, and every second round goes
//! through the sides backwards. A round's ratio compares values that were measured within moments.

use crate::failure::Failure;

/// What one measurement gave.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// Repeated measurements of the operation, in the table's unit.
    Samples(Vec<f64>),
    /// The side cannot do it: a word that says why, as `ENOSYS`.
    Missing(String),
}

/// Measures an operation by name once.
pub type Measure<'a> = Box<dyn FnMut(&str) -> Result<Reading, Failure> + 'a>;

/// Something that is measured: a column of the table.
pub struct Side<'a> {
    /// The column's heading.
    pub heading: String,
    /// How it is measured.
    pub measure: Measure<'a>,
}

/// Everything known about one operation on one side.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// It was measured.
    Measured {
        /// The median of each round's samples.
        rounds: Vec<f64>,
        /// The least sample of all.
        least: f64,
    },
    /// It cannot be done there: why.
    Missing(String),
}

impl Cell {
    /// The cell of a side that was not asked.
    #[must_use]
    pub fn unknown() -> Self {
        Self::Missing("-".into())
    }

    /// A cell of one round.
    #[must_use]
    pub fn of(reading: Reading) -> Self {
        match reading {
            Reading::Samples(samples) if !samples.is_empty() => {
                let least = samples.iter().copied().fold(f64::INFINITY, f64::min);
                Self::Measured { rounds: vec![median(samples)], least }
            }
            Reading::Samples(_) => Self::Missing("no-figure".into()),
            Reading::Missing(why) => Self::Missing(why),
        }
    }

    /// One more round; an operation that failed in any of them is missing.
    pub fn add(&mut self, reading: Reading) {
        match (&mut *self, Self::of(reading)) {
            (Self::Measured { rounds, least }, Self::Measured { rounds: more, least: other }) => {
                rounds.extend(more);
                *least = least.min(other);
            }
            (Self::Measured { .. }, missing) => *self = missing,
            (Self::Missing(_), _) => {}
        }
    }

    /// The median of the rounds.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        match self {
            Self::Measured { rounds, .. } => Some(median(rounds.clone())),
            Self::Missing(_) => None,
        }
    }

    /// The least sample of all rounds.
    #[must_use]
    pub const fn least(&self) -> Option<f64> {
        match self {
            Self::Measured { least, .. } => Some(*least),
            Self::Missing(_) => None,
        }
    }

    /// How this compares with a reference, round by round. A reference of a single round is compared with each.
    #[must_use]
    pub fn over(&self, reference: &Self) -> Option<Ratio> {
        let (Self::Measured { rounds: ours, .. }, Self::Measured { rounds: theirs, .. }) = (self, reference) else {
            return None;
        };
        let last = *theirs.last()?;
        let theirs = theirs.iter().copied().chain(std::iter::repeat(last));
        let ratios: Vec<f64> = ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let most = ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(Ratio { median: median(ratios), least, most }).filter(|ratio| ratio.most.is_finite())
    }
}

/// Ours by the reference's: below 1 is better, where less is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The median of the rounds.
    pub median: f64,
    /// The least of the rounds.
    pub least: f64,
    /// The most of the rounds.
    pub most: f64,
}

/// The middle value; the lower one of two.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

/// Rounds and sides in the order in which they are measured.
pub fn turns(rounds: usize, sides: usize) -> impl Iterator<Item = (usize, usize)> {
    let side = move |round: usize, turn: usize| if round.is_multiple_of(2) { turn } else { sides - 1 - turn };
    (0..rounds).flat_map(move |round| (0..sides).map(move |turn| (round, side(round, turn))))
}

/// Measures every operation on every side, `rounds` times in turn; a row of cells per operation.
/// What is missing once is not asked for again. `tell` hears which round begins.
pub fn interleave(
    rounds: usize,
    operations: &[String],
    sides: &mut [Side<'_>],
    tell: &mut dyn FnMut(usize),
) -> Result<Vec<Vec<Cell>>, Failure> {
    let mut rows: Vec<Vec<Option<Cell>>> = vec![vec![None; sides.len()]; operations.len()];
    let order: Vec<(usize, usize)> = turns(rounds, sides.len()).collect();
    for round in order.chunks(sides.len().max(1)) {
        tell(round[0].0);
        for (operation, row) in operations.iter().zip(&mut rows) {
            for &(_, side) in round {
                match &mut row[side] {
                    Some(Cell::Missing(_)) => {}
                    Some(cell) => cell.add((sides[side].measure)(operation)?),
                    empty => *empty = Some(Cell::of((sides[side].measure)(operation)?)),
                }
            }
        }
    }
    Ok(rows.into_iter().map(|row| row.into_iter().map(|cell| cell.unwrap_or_else(Cell::unknown)).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn sides_take_turns_and_the_missing_is_asked_once() {
        let order = RefCell::new(String::new());
        let order = &order;
        let side = |name: &'static str, value: f64| Side {
            heading: name.into(),
            measure: Box::new(move |operation| {
                *order.borrow_mut() += name;
                let missing = operation == "b" && name == "x";
                Ok(if missing { Reading::Missing("ENOSYS".into()) } else { Reading::Samples(vec![value, 9.0, 9.5]) })
            }),
        };
        let mut sides = [side("x", 2.0), side("y", 4.0)];
        let rows = interleave(2, &["a".into(), "b".into()], &mut sides, &mut |_| {}).unwrap();
        assert_eq!(*order.borrow(), "xyxyyxy");
        assert_eq!(rows[0][0], Cell::Measured { rounds: vec![9.0, 9.0], least: 2.0 });
        assert_eq!(rows[1][0], Cell::Missing("ENOSYS".into()));
        assert_eq!(rows[1][0].over(&rows[1][1]), None);
    }

    #[test]
    fn ratios_are_those_of_the_rounds() {
        let cell = |rounds: &[f64]| Cell::Measured { rounds: rounds.to_vec(), least: 0.0 };
        let ratio = cell(&[2.0, 3.0, 8.0]).over(&cell(&[4.0, 3.0, 4.0])).unwrap();
        assert_eq!(ratio, Ratio { median: 1.0, least: 0.5, most: 2.0 });
        let ratio = cell(&[2.0, 3.0, 8.0]).over(&cell(&[4.0])).unwrap();
        assert_eq!(ratio, Ratio { median: 0.75, least: 0.5, most: 2.0 });
        assert_eq!(cell(&[1.0]).over(&cell(&[0.0])), None);
    }

    #[test]
    fn a_side_that_fails_later_is_missing() {
        let mut cell = Cell::of(Reading::Samples(vec![3.0, 1.0]));
        assert_eq!(cell.median(), Some(1.0));
        cell.add(Reading::Samples(vec![]));
        assert_eq!(cell, Cell::Missing("no-figure".into()));
    }
}
