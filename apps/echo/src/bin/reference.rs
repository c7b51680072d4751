//! The same server on Linux, with the standard library that the native one is compared with. Told to, it is the client
//! of such a server: `client ADDRESS BYTES`.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(target_os = "none"))]
mod linux {
    use std::io::Result;
    use std::net::{IpAddr, TcpStream};
    use std::process::ExitCode;
    use std::time::Instant;

    use echo::client::{self, Told};

    /// Carries so many bytes over a connection, and says what came.
    type Carry = fn(&TcpStream, u64) -> Result<Told>;

    /// Asks for streams of so many bytes to a server and from it: says how many milliseconds each took.
    pub fn ask(address: IpAddr, bytes: u64) -> ExitCode {
        let ways: [(&str, u16, Carry); 2] = [("to", 90, client::send), ("from", 19, client::receive)];
        let expected = client::expected(bytes);
        for (way, port, carry) in ways {
            let since = Instant::now();
            let got = TcpStream::connect((address, port)).and_then(|stream| carry(&stream, bytes));
            if !matches!(got, Ok(told) if told == expected) {
                println!("{way} it came {got:?}, and not {expected:?}");
                return ExitCode::FAILURE;
            }
            println!("{way} {}", since.elapsed().as_millis());
        }
        ExitCode::SUCCESS
    }
}

#[cfg(not(target_os = "none"))]
fn main() -> std::process::ExitCode {
    let words: Vec<String> = std::env::args().collect();
    let [_, role, address, bytes] = &words[..] else { return echo::main() };
    match (role.as_str(), address.parse(), bytes.parse()) {
        ("client", Ok(address), Ok(bytes)) => linux::ask(address, bytes),
        _ => echo::main(),
    }
}
