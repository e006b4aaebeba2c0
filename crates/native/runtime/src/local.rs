//! Variables of which every thread has its own. `#[thread_local]` is not stable, so they are made and
//! found in assembly.

/// A variable under this name, zeros at first, and a function that finds the running thread's.
macro_rules! thread_variable {
    ($(#[$about:meta])* $function:ident, $name:literal, $type:ty) => {
        core::arch::global_asm!(
            ".section .tbss,\"awT\",@nobits",
            concat!(".globl ", $name),
            concat!(".type ", $name, ",@object"),
            ".balign 16",
            concat!($name, ":"),
            ".zero {size}",
            concat!(".size ", $name, ", {size}"),
            ".text",
            size = const core::mem::size_of::<$type>(),
        );

        $(#[$about])*
        pub fn $function() -> &'static mut $type {
            let at: *mut $type;
            // SAFETY: the word at fs:0 is the address of the thread's block, in which the linker has given the variable
            // its place; nobody else has a reference to it while the thread uses this one.
            unsafe {
                core::arch::asm!(
                    "mov {at}, qword ptr fs:[0]",
                    concat!("add {at}, qword ptr [rip + ", $name, "@GOTTPOFF]"),
                    at = out(reg) at,
                    options(nostack, preserves_flags),
                );
                &mut *at
            }
        }
    };
}

pub(crate) use thread_variable;
