//! Where stubs of the application's enter (`call.s`).

use machine::{CallEntries, Context};

unsafe extern "C" {
    safe static whittle_open_counted_call: u8;
    safe static whittle_counted_call: u8;
    safe static whittle_counted_call_flags: u8;
    safe static whittle_open_call: u8;
    safe static whittle_plain_call: u8;
    safe static whittle_plain_call_flags: u8;
    safe static whittle_plain_call_leaves: u8;
    safe static whittle_brief_call: u8;
    safe static whittle_brief_call_flags: u8;
    safe static whittle_brief_call_leaves: u8;
    safe static whittle_call_end: u8;
}

/// See [`machine::Processor::call_entries`], at ring 0.
pub fn call_entries(counted: bool) -> CallEntries {
    let [any, brief] = [&raw const whittle_plain_call as usize, &raw const whittle_brief_call as usize];
    let [open, open_counted] = open_entries();
    if counted {
        let any = &raw const whittle_counted_call as usize;
        return CallEntries { any, brief: any, open: open_counted, masked: true, cpuid: None };
    }
    CallEntries { any, brief, open, masked: true, cpuid: None }
}

fn open_entries() -> [usize; 2] {
    [&raw const whittle_open_call as usize, &raw const whittle_open_counted_call as usize]
}

/// An application that has come to an open entry is still itself until interrupts are off there. Whoever interrupts it
/// finds it two bytes before the address that it goes on at: its call begins anew there
/// ([`machine::CallEntries::open`]).
pub fn step_back(context: &mut Context) {
    if contracts::config().rewrite && open_entries().contains(&(context.rip as usize)) {
        context.rip = context.r11.wrapping_sub(2);
    }
}

/// Whether an instruction is of those between a stub and a handler, in either direction.
pub fn is_between(instruction: usize) -> bool {
    let all = &raw const whittle_open_counted_call as usize..&raw const whittle_call_end as usize;
    contracts::config().rewrite && all.contains(&instruction)
}

/// Whether the application's flags are still to be saved there.
pub fn has_flags(instruction: usize) -> bool {
    let entries = [
        &raw const whittle_open_counted_call..&raw const whittle_counted_call_flags,
        &raw const whittle_open_call..&raw const whittle_plain_call_flags,
        &raw const whittle_brief_call..&raw const whittle_brief_call_flags,
    ];
    entries.iter().any(|range| (range.start as usize..range.end as usize).contains(&instruction))
}

/// Whether it is where all is the application's but for the last two instructions, which turn interrupts on and jump to
/// the address in rcx.
pub fn has_left(instruction: usize) -> bool {
    let leaves = [&raw const whittle_plain_call_leaves, &raw const whittle_brief_call_leaves];
    leaves.iter().any(|&place| place as usize == instruction)
}
