//! Weights of a one-dimensional animation blend tree.

/// An animation, and the speed at which a body that plays it alone moves.
///
/// ```
/// use wayfare::agent::AnimationClip;
/// assert_eq!(AnimationClip::new("walk", 1.4).name, "walk");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct AnimationClip {
    /// Its name.
    pub name: String,
    /// The speed of the body in metres a second, from 0: 0 for standing.
    pub speed: f32,
}

impl AnimationClip {
    /// Returns a clip for a speed in metres a second.
    #[must_use]
    pub fn new(name: impl Into<String>, speed: f32) -> Self {
        Self { name: name.into(), speed }
    }
}

/// Animations of bodies at rising speeds: between two of them both are mixed.
///
/// ```
/// use wayfare::agent::{AnimationClip, BlendTree};
/// let tree = BlendTree::new([
///     AnimationClip::new("idle", 0.0),
///     AnimationClip::new("walk", 1.5),
///     AnimationClip::new("run", 4.0),
/// ])?;
/// let weights = tree.weights(0.75);
/// assert_eq!([0, 1, 2].map(|clip| weights.of(clip)), [0.5, 0.5, 0.0]);
/// // Faster than the fastest clip: it is played faster.
/// assert_eq!(tree.weights(6.0).playback, 1.5);
/// # Ok::<(), wayfare::agent::BlendError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct BlendTree {
    /// At least one, of rising speeds.
    clips: Vec<AnimationClip>,
}

/// Clips that make no blend tree.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum BlendError {
    /// There are none.
    #[error("a blend tree needs at least one clip")]
    NoClips,
    /// The speed of a clip is negative or not finite.
    #[error("the speed {speed} of the clip '{clip}' is not a finite number from 0 up")]
    Speed {
        /// The name of the clip.
        clip: String,
        /// Its speed.
        speed: f32,
    },
    /// A clip is no faster than the one before it.
    #[error("the clip '{clip}' is no faster than the one before it")]
    NotRising {
        /// The name of the later clip.
        clip: String,
    },
}

/// The share of each clip of a [`BlendTree`] at some speed: at most two are above 0, and all add up
/// to 1.
///
/// ```
/// use wayfare::agent::BlendWeights;
/// let weights = BlendWeights { lower: 1, upper: 2, share: 0.25, playback: 1.0 };
/// assert_eq!([0, 1, 2].map(|clip| weights.of(clip)), [0.0, 0.75, 0.25]);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BlendWeights {
    /// The index of the slower clip.
    pub lower: usize,
    /// The index of the faster clip; the same if one is played alone.
    pub upper: usize,
    /// The share of the faster one, 0 to 1.
    pub share: f32,
    /// The factor on the clips' own pace at which feet keep to the ground: the speed of the body,
    /// divided by that which the mixed clips show. 1 between the slowest and the fastest clip, and
    /// for clips of standing.
    pub playback: f32,
}

impl BlendWeights {
    /// Returns the share of a clip, 0 to 1.
    #[must_use]
    pub fn of(&self, clip: usize) -> f32 {
        let lower = if clip == self.lower { 1.0 - self.share } else { 0.0 };
        let upper = if clip == self.upper { self.share } else { 0.0 };
        lower + upper
    }
}

impl BlendTree {
    /// Returns a tree of clips in the order of their speeds.
    ///
    /// # Errors
    /// When there are none, or their speeds are not finite, negative, or do not rise.
    pub fn new(clips: impl IntoIterator<Item = AnimationClip>) -> Result<Self, BlendError> {
        let clips: Vec<AnimationClip> = clips.into_iter().collect();
        if let Some(clip) = clips.iter().find(|clip| !(clip.speed >= 0.0 && clip.speed.is_finite()))
        {
            return Err(BlendError::Speed { clip: clip.name.clone(), speed: clip.speed });
        }
        if let Some(pair) = clips.windows(2).find(|pair| pair[1].speed <= pair[0].speed) {
            return Err(BlendError::NotRising { clip: pair[1].name.clone() });
        }
        if clips.is_empty() { Err(BlendError::NoClips) } else { Ok(Self { clips }) }
    }

    /// Returns the clips, the slowest first.
    #[must_use]
    pub fn clips(&self) -> &[AnimationClip] {
        &self.clips
    }

    /// Returns the weights at a speed in metres a second. NaN counts as standing. O(log clips).
    #[must_use]
    pub fn weights(&self, speed: f32) -> BlendWeights {
        let speed = if speed.is_nan() { 0.0 } else { speed.max(0.0) };
        // The first clip that is faster; the one before it, if any, is not.
        let upper = self.clips.partition_point(|clip| clip.speed <= speed);
        let of = |clip: usize| self.clips[clip].speed;
        if upper == 0 || upper == self.clips.len() {
            let only = upper.saturating_sub(1);
            let own = of(only);
            let playback = if own > 0.0 { speed / own } else { 1.0 };
            return BlendWeights { lower: only, upper: only, share: 0.0, playback };
        }
        // The mixed speed is that of the body, since the share is linear in it.
        let lower = upper - 1;
        let share = (speed - of(lower)) / (of(upper) - of(lower));
        BlendWeights { lower, upper, share, playback: 1.0 }
    }
}
