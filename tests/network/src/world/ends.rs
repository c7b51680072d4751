//! The programs at both ends of all connections.

use std::collections::HashMap;
use std::net::SocketAddr;

use packets::Instant;

use crate::application::Endpoint;
use crate::host::{Host, Place, Ready, Socket};
use crate::scenario::{Conversation, PORTS, Scenario};

/// All of them.
pub struct Ends {
    conversations: Vec<Conversation>,
    places: [Place; 2],
    /// The client and the server of each connection.
    pairs: Vec<[Endpoint; 2]>,
    /// Connections by the client's side, address and port, and the port on the server's side.
    callers: HashMap<(usize, SocketAddr, u16), usize>,
    /// Connections by side and socket.
    sockets: [HashMap<Socket, usize>; 2],
    /// Those that have something to do though their sockets have not changed.
    due: [Vec<usize>; 2],
    /// Who wants to be woken when: side and number.
    alarms: Vec<(Instant, usize, usize)>,
}

impl Ends {
    /// Nobody has begun.
    pub fn new(scenario: &Scenario) -> Self {
        let pair = |conversation: &Conversation| {
            let ([client, server], [there, back]) = (&conversation.plans, conversation.keys);
            [Endpoint::new(client, server, (there, back)), Endpoint::new(server, client, (back, there))]
        };
        Self {
            conversations: scenario.conversations.clone(),
            places: scenario.places,
            pairs: scenario.conversations.iter().map(pair).collect(),
            callers: HashMap::new(),
            sockets: Default::default(),
            due: Default::default(),
            alarms: Vec::new(),
        }
    }

    /// The side of a connection's client.
    pub fn client(&self, number: usize) -> usize {
        self.conversations[number].client
    }

    /// Begins a connection.
    pub fn connect(&mut self, number: usize, now: Instant, host: &mut dyn Host) -> Result<(), String> {
        let conversation = &self.conversations[number];
        let side = conversation.client;
        let address = |place: Place| if conversation.ipv6 { place.ipv6() } else { place.ipv4() };
        let to = SocketAddr::new(address(self.places[1 - side]), conversation.port);
        let (socket, port) = host
            .connect(now, to, conversation.options)
            .map_err(|trouble| format!("connection {number} cannot begin: {trouble:?}"))?;
        let from = SocketAddr::new(address(self.places[side]), port);
        self.callers.insert((side, from, conversation.port), number);
        self.sockets[side].insert(socket, number);
        self.pairs[number][0].connecting(socket);
        Ok(())
    }

    /// A program's own moment has come.
    pub fn wake(&mut self, side: usize, number: usize) {
        self.due[side].push(number);
    }

    /// Lets the programs of a side do what they can; says whether any had reason to.
    pub fn run(&mut self, side: usize, now: Instant, host: &mut dyn Host) -> Result<bool, String> {
        let mut ready = Vec::new();
        let tells = host.ready(&mut ready);
        let mut numbers = std::mem::take(&mut self.due[side]);
        for port in PORTS {
            if !tells || ready.contains(&Ready::Listener(port)) {
                self.accept(side, now, host, port, &mut numbers);
            }
        }
        if tells {
            let sockets = ready.iter().filter_map(|ready| ready.socket());
            numbers.extend(sockets.filter_map(|socket| self.sockets[side].get(&socket)));
        } else {
            numbers.extend(self.sockets[side].values());
        }
        numbers.sort_unstable();
        numbers.dedup();
        let mut moved = false;
        for number in numbers {
            moved |= self.run_one(side, number, now, host)?;
        }
        Ok(moved)
    }

    fn accept(&mut self, side: usize, now: Instant, host: &mut dyn Host, port: u16, numbers: &mut Vec<usize>) {
        while let Some((socket, peer)) = host.accept(now, port) {
            let number = self.callers.get(&(1 - side, peer, port)).copied();
            match number.filter(|&number| self.pairs[number][1].is_expected()) {
                Some(number) => {
                    self.pairs[number][1].accepted(socket);
                    self.sockets[side].insert(socket, number);
                    numbers.push(number);
                }
                // A SYN that came twice, and whose connection is over.
                None => host.abort(now, socket),
            }
        }
    }

    /// Says whether it moved: bytes, or a change of its state.
    fn run_one(&mut self, side: usize, number: usize, now: Instant, host: &mut dyn Host) -> Result<bool, String> {
        let role = usize::from(self.client(number) != side);
        let end = &mut self.pairs[number][role];
        let before = (end.passed(), end.state());
        let socket = end.socket;
        end.run(now, host).map_err(|text| format!("{}: {text}", self.title(number, role)))?;
        let end = &mut self.pairs[number][role];
        if let (Some(socket), None) = (socket, end.socket) {
            self.sockets[side].remove(&socket);
        }
        let moved = before != (end.passed(), end.state());
        let (alarm, broken) = (end.alarm(now), end.is_broken());
        self.alarms.extend(alarm.map(|moment| (moment, side, number)));
        let other = &mut self.pairs[number][1 - role];
        if broken && !other.is_done() {
            other.lose_patience(now);
            self.alarms.extend(other.alarm(now).map(|moment| (moment, 1 - side, number)));
        }
        Ok(moved)
    }

    /// Takes the moments at which programs want to be woken, with side and number.
    pub fn alarms(&mut self) -> impl Iterator<Item = (Instant, usize, usize)> {
        self.alarms.drain(..)
    }

    /// Whether all programs are done.
    pub fn all_done(&self) -> bool {
        self.pairs.iter().flatten().all(Endpoint::is_done)
    }

    /// Connections that went their whole way, and those that were broken.
    pub fn outcomes(&self) -> (u64, u64) {
        let broken = self.pairs.iter().filter(|pair| pair.iter().any(Endpoint::is_broken)).count();
        ((self.pairs.len() - broken) as u64, broken as u64)
    }

    /// Bytes that all have sent and received.
    pub fn bytes(&self) -> u64 {
        self.pairs.iter().flatten().map(Endpoint::passed).sum()
    }

    fn title(&self, number: usize, role: usize) -> String {
        let side = if role == 0 { self.client(number) } else { 1 - self.client(number) };
        format!("connection {number}, {} on {}", ["client", "server"][role], ["A", "B"][side])
    }

    /// A line for each end that is not done.
    pub fn describe(&self, hosts: &[Box<dyn Host>; 2]) -> Vec<String> {
        let all = (0..self.pairs.len()).flat_map(|number| [(number, 0), (number, 1)]);
        let left = all.filter(|&(number, role)| !self.pairs[number][role].is_done());
        let told = |(number, role): (usize, usize)| {
            let side = if role == 0 { self.client(number) } else { 1 - self.client(number) };
            format!("{}: {}", self.title(number, role), self.pairs[number][role].describe(&*hosts[side]))
        };
        left.map(told).collect()
    }
}
