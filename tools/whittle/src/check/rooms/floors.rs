//! Which crates have floors, and what each floor may name.

/// The floors of a crate: all its modules at the root, from the top down.
pub struct Floors {
    /// The crate's folder.
    pub of: &'static str,
    /// The floors.
    pub floors: &'static [Floor],
}

/// A floor: a module at the root of a crate.
pub struct Floor {
    /// Its name.
    pub name: &'static str,
    /// The floors that it may name beside itself.
    pub may_name: &'static [&'static str],
    /// What its modules are.
    pub parts: Parts,
}

/// What a floor consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// It is one room.
    One,
    /// Each of its modules is a room; they may name each other, but in no circle.
    Layered,
    /// Each of its modules is a room, which names none of the others.
    Apart,
}

/// All floors there are.
pub const FLOORS: &[Floors] = &[Floors {
    of: "api/linux",
    floors: &[
        Floor { name: "entry", may_name: &["calls", "objects"], parts: Parts::One },
        Floor { name: "calls", may_name: &["objects"], parts: Parts::Apart },
        Floor { name: "objects", may_name: &[], parts: Parts::Layered },
    ],
}];

impl Floors {
    /// Those of the crate in that folder.
    pub fn of(folder: &str) -> Option<&'static Self> {
        FLOORS.iter().find(|floors| floors.of == folder)
    }

    fn floor(&self, room: &str) -> Option<&Floor> {
        let name = room.split('/').next();
        self.floors.iter().find(|floor| Some(floor.name) == name)
    }

    /// Whether the modules of that floor are rooms.
    pub fn has_parts(&self, name: &str) -> bool {
        self.floor(name).is_some_and(|floor| floor.parts != Parts::One)
    }

    /// Why a room must not name another, as the end of a sentence that says what to do; `None` if it may.
    pub fn objection(&self, from: &str, to: &str) -> Option<String> {
        let (Some(upper), Some(lower)) = (self.floor(from), self.floor(to)) else {
            return Some(format!("give it a floor: {} has only {}", self.of, self.names()));
        };
        if upper.name == lower.name {
            let apart = upper.parts == Parts::Apart && to.contains('/');
            return apart.then(|| "move what both need to a floor below".to_owned());
        }
        let up = !upper.may_name.contains(&lower.name);
        up.then(|| format!("move what both need down to `{}`, or hand it in as a parameter", upper.name))
    }

    fn names(&self) -> String {
        self.floors.iter().map(|floor| format!("`{}`", floor.name)).collect::<Vec<_>>().join(", ")
    }
}
