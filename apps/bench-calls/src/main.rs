//! What each system call costs, told from inside: cycles of the time stamp counter per operation.
//!
//! Under QEMU's `-icount` that counter counts instructions, so the figures repeat exactly; on a processor they are
//! cycles, and the least of several runs is given. Output: a header, then lines `NAME VALUE`.
//! Arguments: rounds per measurement (default 200), measurements (default 5).

mod measure;
mod operations;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().unwrap_or(0));
    let (rounds, repeats) = (numbers.next().unwrap_or(200), numbers.next().unwrap_or(5));
    if rounds == 0 || repeats == 0 {
        eprintln!("usage: bench-calls [ROUNDS [REPEATS]]");
        std::process::exit(2);
    }
    println!("operation ticks");
    for (name, operation) in operations::ALL {
        let mut run = operation();
        println!("{name} {}", measure::least(rounds, repeats, &mut run));
    }
}
