//! Runtime.
#![no_std]
