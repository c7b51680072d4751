//! A first program: greets whom its arguments name.

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let whom = if names.is_empty() { "world".to_string() } else { names.join(" ") };
    println!("Hello, {whom}! I am a Rust program in a unikernel.");
}
