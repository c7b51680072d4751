//! Prints what a pair of free and malloc costs: lines `ROUND HEAP LOAD THREADS NANOSECONDS`.
//!
//! All heaps take turns in each round, so that a change of the machine's mood meets all of them. A thread has its own
//! slots; it frees a slot picked at random and fills it with a block of a random size, of which it writes the first
//! word. The arguments are the number of rounds and the names of heaps, or none for all.

mod load;
mod pages;
mod subjects;

use load::{LOADS, measure};
use subjects::{SUBJECTS, Subject};

fn main() {
    let mut words = std::env::args().skip(1);
    let rounds: usize = words.next().and_then(|word| word.parse().ok()).unwrap_or(5);
    let names: Vec<String> = words.collect();
    let wanted = |subject: &&Subject| names.is_empty() || names.iter().any(|name| name == subject.name);
    for round in 0..rounds {
        for load in &LOADS {
            for threads in [1, 2] {
                for subject in SUBJECTS.iter().filter(wanted).filter(|subject| subject.takes(load)) {
                    let nanoseconds = measure(subject, load, threads);
                    println!("{round} {} {} {threads} {nanoseconds:.2}", subject.name, load.name);
                }
            }
        }
    }
}
