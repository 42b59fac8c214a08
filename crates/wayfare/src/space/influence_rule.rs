//! How learnt values spread and fade.

/// How an influence layer, or [danger](crate::link::Danger), changes with time.
///
/// ```
/// use wayfare::space::InfluenceRule;
/// let smell = InfluenceRule { kept_per_second: 0.99, ..InfluenceRule::default() };
/// assert_eq!(smell.spread_per_second, 0.2);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InfluenceRule {
    /// The share of the influence that is left after one second without news. 0 to 1; default 0.8.
    pub kept_per_second: f32,
    /// The share that flows to the four neighbours each second. 0 to 1; default 0.2. Raising it
    /// makes rumours travel faster.
    pub spread_per_second: f32,
    /// Values below this are forgotten. Default 0.01.
    pub least: f32,
}

impl Default for InfluenceRule {
    fn default() -> Self {
        Self { kept_per_second: 0.8, spread_per_second: 0.2, least: 0.01 }
    }
}
