//! Weights of a one-dimensional animation blend tree.

/// The speeds at which a body idles, walks and runs: between two of them the animations are mixed.
///
/// ```
/// use wayfare::agent::BlendTree;
/// let tree = BlendTree::new(0.0, 1.5, 4.0)?;
/// let weights = tree.weights(0.75);
/// assert_eq!((weights.idle, weights.walk, weights.run), (0.5, 0.5, 0.0));
/// # Ok::<(), wayfare::agent::BlendError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BlendTree {
    idle: f32,
    walk: f32,
    run: f32,
}

/// Thresholds that do not rise, or are not finite.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error(
    "the thresholds {idle}, {walk}, {run} must be finite, from 0 up, and each larger than the one before"
)]
pub struct BlendError {
    /// The threshold of idling.
    pub idle: f32,
    /// The threshold of walking.
    pub walk: f32,
    /// The threshold of running.
    pub run: f32,
}

/// How much of each animation is played: from 0 to 1, and 1 together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BlendWeights {
    /// Standing.
    pub idle: f32,
    /// Walking.
    pub walk: f32,
    /// Running.
    pub run: f32,
}

impl BlendTree {
    /// A tree with the speeds at which one animation alone is played: up to `idle`, at `walk`, from `run` on.
    ///
    /// # Errors
    /// When they are not finite, negative, or do not rise.
    pub fn new(idle: f32, walk: f32, run: f32) -> Result<Self, BlendError> {
        if 0.0 <= idle && idle < walk && walk < run && run.is_finite() {
            Ok(Self { idle, walk, run })
        } else {
            Err(BlendError { idle, walk, run })
        }
    }

    /// The weights at a speed. Not-a-number counts as standing.
    #[must_use]
    pub fn weights(&self, speed: f32) -> BlendWeights {
        let share = |from: f32, to: f32| ((speed - from) / (to - from)).clamp(0.0, 1.0);
        if speed.is_nan() || speed <= self.walk {
            let walk = if speed.is_nan() { 0.0 } else { share(self.idle, self.walk) };
            BlendWeights { idle: 1.0 - walk, walk, run: 0.0 }
        } else {
            let run = share(self.walk, self.run);
            BlendWeights { idle: 0.0, walk: 1.0 - run, run }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_shares_and_follow_the_speed() {
        let tree = BlendTree::new(0.1, 1.4, 5.0).unwrap();
        let mut before = tree.weights(0.0);
        for step in 0..700 {
            let weights = tree.weights(step as f32 * 0.01);
            assert!((weights.idle + weights.walk + weights.run - 1.0).abs() < 1e-6);
            assert!(weights.run >= before.run && weights.idle <= before.idle);
            before = weights;
        }
        assert_eq!(before.run, 1.0);
        assert_eq!(tree.weights(f32::NAN), tree.weights(-3.0));
        assert!(
            BlendTree::new(0.0, 0.0, 1.0).is_err() && BlendTree::new(0.0, 1.0, f32::NAN).is_err()
        );
    }
}
