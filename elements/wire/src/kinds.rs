//! What a frame can be about, for each direction.

macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident { $($(#[$kind_doc:meta])* $kind:ident = $value:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $name { $($(#[$kind_doc])* $kind = $value,)* }

        impl $name {
            /// The kind with this number.
            #[must_use]
            pub const fn from_byte(byte: u8) -> Option<Self> {
                match byte { $($value => Some(Self::$kind),)* _ => None }
            }
        }
    };
}

kinds! {
    /// Frames the guest sends.
    FromGuest {
        /// Bytes for [`machine::Stream`] `argument` (1 or 2).
        Output = 1,
        /// Asks for at most `number` bytes of standard input; the host answers with one [`ToGuest::Input`] when it
        /// has some. At most one such wish is open. `argument` is 0.
        WantInput = 2,
        /// Asks whether standard input has something, and if not to be told when it has. See [`ToGuest::Readable`].
        WantReadable = 3,
        /// Takes an open [`FromGuest::WantInput`] back. The host answers it with [`ToGuest::Input`] all the same:
        /// number -4 (EINTR) and no payload, if it had not answered before.
        CancelInput = 4,
        /// New terminal attributes: payload is `struct termios` (36 bytes), `argument` a [`machine::SetWhen`],
        /// `number` the stream. Answered by [`ToGuest::TerminalSet`].
        SetTerminal = 5,
        /// A [`machine::Record`] (`argument`): payload is UTF-8 text of one line, or for
        /// [`machine::Record::Trace`] a record of the element `trace`.
        Record = 6,
        /// The end: the host may stop the machine. `argument` is 0 exited (number: status), 1 killed (number:
        /// signal), 2 failed, 3 cannot execute, 4 not found.
        Exit = 7,
        /// Job control is the guest's. `number` 0: from now on SIGTSTP is handed on as a [`ToGuest::Signal`]. Else it
        /// is the signal that has stopped the first process: the command stops too, and hands SIGCONT on when it
        /// continues.
        JobControl = 8,
    }
}

kinds! {
    /// Frames the host sends.
    ToGuest {
        /// Answers [`FromGuest::WantInput`]: `number` is the payload's length (0: end of file) or a negated Linux
        /// error number without payload.
        Input = 1,
        /// Answers [`FromGuest::WantReadable`] at once: `number` is 1 if standard input has something or is at its end,
        /// else 0, and then 1 follows when it has.
        Readable = 2,
        /// Signal `number` was sent to the command for the program.
        Signal = 3,
        /// The terminal's new size: payload is rows, columns, pixels x, pixels y, 16 bits each, little endian. A
        /// [`ToGuest::Signal`] for SIGWINCH follows.
        Window = 4,
        /// Answers [`FromGuest::SetTerminal`]: `number` 0 or a negated error number; on success the payload is the
        /// attributes now in force.
        TerminalSet = 5,
        /// Nobody reads stream `argument` any more.
        Broken = 6,
        /// What became of a [`FromGuest::Output`] to stream `argument`: `number` is how many of its bytes were written,
        /// or a negated Linux error number. Sent for each frame if the launch record says that the stream is answered;
        /// for the others only when an error comes, and maybe late.
        Written = 7,
        /// What the clock on the wall shows: `number` is seconds since 1970, without a sign, and `argument` 256ths of
        /// one.
        Time = 8,
    }
}
