//! What an edit does to the paths between two places.

/// The effect of an edit on the paths between two places.
///
/// Example: `would_block`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blockage {
    /// A path remains.
    Open,
    /// The edit closes the last path.
    WouldBlock,
    /// There is no path even without the edit.
    AlreadyBlocked,
}
