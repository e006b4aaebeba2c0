//! C subjects.
