//! The standard streams. Much of this is seen from outside only: what comes out, in which order.

use std::{
    io::{self, BufRead, Read, Write},
    prelude::v1::*,
};

use crate::tally::Tally;

pub fn check(tally: &mut Tally) {
    output(tally);
    input(tally);
}

fn output(tally: &mut Tally) {
    let mut stdout = io::stdout();
    holds!(tally, stdout.write_all(b"order: a").is_ok());
    print!("b");
    {
        let mut lock = stdout.lock();
        holds!(tally, write!(lock, "{}", 'c').is_ok());
        print!("{}", 'd');
        let mut again = io::stdout().lock();
        holds!(tally, again.write_all(b"e\nline of its own, ").is_ok());
    }
    println!("{}", "and its end");
    holds!(tally, stdout.write_all(&[b'=', 70].repeat(1500)).is_ok());
    holds!(tally, (&io::stdout()).write_all(b"\n").is_ok());
    holds!(tally, stdout.flush().is_ok());
    holds!(tally, io::stderr().write_all(b"to standard error\n").is_ok());
    eprint!("and");
    eprintln!(" {}", "more");
    holds!(tally, io::stderr().lock().flush().is_ok());
    same!(tally, format!("{:?}", io::stdout()), "Stdout { .. }");
}

fn input(tally: &mut Tally) {
    let mut line = String::new();
    let count = io::stdin().read_line(&mut line).unwrap_or(99);
    if count == 0 {
        println!("input: none");
        return;
    }
    same!(tally, line, "first\n");
    let mut lock = io::stdin().lock();
    let mut byte = [0];
    holds!(tally, lock.read_exact(&mut byte).is_ok() && byte == *b"s");
    same!(tally, lock.fill_buf().map(|bytes| bytes[0]).ok(), Some(b'e'));
    drop(lock);
    let lines: Vec<String> = io::stdin().lines().map_while(Result::ok).collect();
    same!(tally, lines, ["econd", "", "last"]);
    same!(tally, io::read_to_string(io::stdin()).ok(), Some(String::new()));
}

/// What is written last and has no newline comes out at the end all the same.
pub fn leave_a_line_open() {
    // If it cannot be written, the comparison sees it.
    let _ = io::stdout().write_all(b"the end");
}
