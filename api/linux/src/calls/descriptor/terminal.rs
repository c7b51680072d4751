//! ioctl(2) of terminals: tty_ioctl(2), pts(4).

use linux_abi::{
    Errno, UserAddress,
    constants::{
        OpenFlags, SIGINT, SIGQUIT, SIGTSTP, TCFLSH, TCGETS, TCIFLUSH, TCIOFF, TCIOFLUSH, TCION, TCOFLUSH, TCOOFF,
        TCOON, TCSBRK, TCSBRKP, TCSETS, TCSETSF, TCSETSW, TCXONC, TIOCGPGRP, TIOCGPKT, TIOCGPTLCK, TIOCGPTN,
        TIOCGPTPEER, TIOCGSID, TIOCGWINSZ, TIOCNOTTY, TIOCOUTQ, TIOCPKT, TIOCSCTTY, TIOCSIG, TIOCSPGRP, TIOCSPTLCK,
        TIOCSWINSZ,
    },
    structures::{Termios, WindowSize},
};
use vfs::{Flow, Master, Terminal};
use zerocopy::IntoBytes;

use super::open;
use crate::{
    Result,
    objects::{errors::errno, terminal, user},
};

/// Controls a terminal.
pub fn control(device: &dyn Terminal, request: u32, argument: UserAddress) -> Result {
    // Whoever is not a terminal answers ENOTTY here, before any argument is looked at.
    let attributes = device.attributes().map_err(errno)?;
    match request {
        TCGETS => user::copy_out(argument, &attributes)?,
        TCSETS | TCSETSW | TCSETSF => set_attributes(device, (request - TCSETS) as u8, argument)?,
        TIOCGWINSZ => {
            let [ws_row, ws_col, ws_xpixel, ws_ypixel] = device.window_size().map_err(errno)?;
            user::write_struct(argument, &WindowSize { ws_row, ws_col, ws_xpixel, ws_ypixel })?;
        }
        TIOCSWINSZ => {
            let WindowSize { ws_row, ws_col, ws_xpixel, ws_ypixel } = user::read_struct(argument)?;
            device.set_window_size([ws_row, ws_col, ws_xpixel, ws_ypixel]).map_err(errno)?;
        }
        TCFLSH => flush(device, argument.0)?,
        TCXONC => flow(device, argument.0)?,
        // What was written is on its way already, and no line can be broken.
        TCSBRK | TCSBRKP => terminal::may_change(device.control())?,
        TIOCOUTQ => return user::answer_int(argument, 0),
        _ => {
            return match device.master() {
                Some(master) if contracts::config().pseudo_terminals => drive(master, device, request, argument),
                _ => possess(device, request, argument),
            };
        }
    }
    Ok(0)
}

fn set_attributes(device: &dyn Terminal, when: u8, argument: UserAddress) -> core::result::Result<(), Errno> {
    terminal::may_change(device.control())?;
    let wanted: Termios = user::read_struct(argument)?;
    let mut bytes = [0; 36];
    bytes.copy_from_slice(wanted.as_bytes());
    device.set_attributes(when, &bytes).map_err(errno)
}

fn flush(device: &dyn Terminal, which: usize) -> core::result::Result<(), Errno> {
    terminal::may_change(device.control())?;
    let (input, output) = match which {
        TCIFLUSH => (true, false),
        TCOFLUSH => (false, true),
        TCIOFLUSH => (true, true),
        _ => return Err(Errno::EINVAL),
    };
    device.flush(input, output).map_err(errno)
}

fn flow(device: &dyn Terminal, which: usize) -> core::result::Result<(), Errno> {
    terminal::may_change(device.control())?;
    let flow = match which {
        TCOOFF => Flow::Stop,
        TCOON => Flow::Start,
        TCIOFF => Flow::AskToStop,
        TCION => Flow::AskToStart,
        _ => return Err(Errno::EINVAL),
    };
    device.flow(flow).map_err(errno)
}

/// Job control: whose the terminal is. The end that drives a pseudo-terminal asks and sets it for the other.
fn possess(device: &dyn Terminal, request: u32, argument: UserAddress) -> Result {
    let (control, drives) = (device.control(), device.master().is_some());
    match request {
        TIOCSPGRP => terminal::set_foreground(control, &mut || Ok(user::read_int(argument)? as i32))?,
        TIOCSCTTY => terminal::take(control, argument.0 == 1)?,
        TIOCNOTTY => terminal::leave(control)?,
        TIOCGPGRP => return user::answer_int(argument, terminal::foreground(control, drives)?),
        TIOCGSID => return user::answer_int(argument, terminal::session(control, drives)?),
        _ => return Err(Errno::ENOTTY),
    }
    Ok(0)
}

/// What only the end has that drives a pseudo-terminal (pty(7)).
fn drive(master: &dyn Master, device: &dyn Terminal, request: u32, argument: UserAddress) -> Result {
    match request {
        TIOCGPTN => return user::answer_int(argument, master.number()),
        TIOCSPTLCK => master.lock(user::read_int(argument)? != 0),
        TIOCGPTLCK => return user::answer_int(argument, master.is_locked().into()),
        TIOCPKT => master.set_packets(user::read_int(argument)? != 0),
        TIOCGPKT => return user::answer_int(argument, master.has_packets().into()),
        TIOCSIG => match u8::try_from(argument.0) {
            Ok(signal @ (SIGINT | SIGQUIT | SIGTSTP)) => terminal::send_to_foreground(device.control(), signal),
            _ => return Err(Errno::EINVAL),
        },
        TIOCGPTPEER => {
            let flags = OpenFlags::from_bits_truncate(argument.0 as u32);
            return open::open_terminal(master.number(), flags);
        }
        _ => return possess(device, request, argument),
    }
    Ok(0)
}
