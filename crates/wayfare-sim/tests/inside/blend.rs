//! The weights of animation clips by speed.

use wayfare_sim::agent::{AnimationClip, BlendError, BlendTree, BlendWeights};

fn tree(speeds: &[f32]) -> Result<BlendTree, BlendError> {
    BlendTree::new(speeds.iter().map(|&speed| AnimationClip::new(format!("at {speed}"), speed)))
}

#[test]
fn weights_are_shares_and_follow_the_speed() {
    let tree = tree(&[0.1, 1.4, 5.0, 7.5, 9.0]).unwrap();
    let mean = |weights: BlendWeights| -> f32 {
        let clips = tree.clips().iter().enumerate();
        clips.map(|(number, clip)| weights.of(number) * clip.speed).sum()
    };
    for step in 0..1200 {
        let speed = step as f32 * 0.01;
        let weights = tree.weights(speed);
        let all: Vec<f32> = (0..5).map(|clip| weights.of(clip)).collect();
        assert!(all.iter().all(|weight| (0.0..=1.0).contains(weight)), "{speed}: {all:?}");
        assert!((all.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{speed}: {all:?}");
        assert!(all.iter().filter(|weight| **weight > 0.0).count() <= 2, "{speed}: {all:?}");
        assert!((mean(weights) * weights.playback - speed).abs() < 1e-4, "{speed}: {weights:?}");
        let is_between = (0.1..=9.0).contains(&speed);
        assert_eq!(weights.playback == 1.0, is_between, "{speed}: {weights:?}");
    }
}

#[test]
fn a_clip_alone_at_its_speed_and_beyond_the_ends() {
    let tree = tree(&[0.0, 2.0, 5.0]).unwrap();
    for (number, clip) in tree.clips().iter().enumerate() {
        let weights = tree.weights(clip.speed);
        assert_eq!((weights.of(number), weights.playback), (1.0, 1.0));
    }
    assert_eq!(tree.weights(f32::NAN), tree.weights(0.0));
    assert_eq!(tree.weights(-3.0), tree.weights(0.0));
    assert_eq!((tree.weights(10.0).of(2), tree.weights(10.0).playback), (1.0, 2.0));
    let standing = BlendTree::new([AnimationClip::new("idle", 0.0)]).unwrap();
    assert_eq!(standing.weights(3.0).playback, 1.0);
}

#[test]
fn clips_that_make_no_tree() {
    assert_eq!(tree(&[]), Err(BlendError::NoClips));
    for speeds in [&[1.0, 1.0][..], &[0.0, 3.0, 2.0]] {
        assert!(matches!(tree(speeds), Err(BlendError::NotRising { .. })), "{speeds:?}");
    }
    for speeds in [&[-1.0][..], &[0.0, f32::NAN], &[0.0, f32::INFINITY]] {
        assert!(matches!(tree(speeds), Err(BlendError::Speed { .. })), "{speeds:?}");
    }
}
