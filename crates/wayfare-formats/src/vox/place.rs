//! Where the scene of a `.vox` file shows its models.

use dot_vox::{DotVoxData, Layer, SceneNode, Size};

use crate::error::{WorldError, WorldErrorKind};

/// Most visited nodes: groups may contain one another many times over.
const MOST_STEPS: usize = 1 << 20;

/// A turn by right angles, perhaps mirrored, then a shift: each axis is one of the model's, and a
/// sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placing {
    /// For each axis the model's axis and its sign.
    pub rows: [(usize, i64); 3],
    /// The shift after the turn.
    pub shift: [i64; 3],
}

impl Placing {
    /// Neither turned nor shifted.
    pub const NONE: Self = Self { rows: [(0, 1), (1, 1), (2, 1)], shift: [0; 3] };

    /// Returns the inner one followed by this one.
    pub fn around(&self, inner: &Self) -> Self {
        let rows = self.rows.map(|(axis, sign)| {
            let (of, own) = inner.rows[axis];
            (of, sign * own)
        });
        let mut shift = self.shift;
        for (part, (axis, sign)) in shift.iter_mut().zip(self.rows) {
            *part += sign * inner.shift[axis];
        }
        Self { rows, shift }
    }

    /// Returns the voxel of a model of that size. Models turn about the corner in their middle, and
    /// voxels lie between corners. Hence twice the distance from there to the middle of the voxel,
    /// which is odd, and half of it in the end.
    pub fn voxel(&self, size: Size, voxel: [u32; 3]) -> [i64; 3] {
        let sides = [size.x, size.y, size.z];
        let twice = |axis: usize| i64::from(2 * voxel[axis] + 1) - i64::from(sides[axis] / 2 * 2);
        let mut at = self.shift;
        for (part, (axis, sign)) in at.iter_mut().zip(self.rows) {
            *part += (sign * twice(axis) - 1) / 2;
        }
        at
    }
}

/// Returns the models that are shown, in order, with their placing. A file without a scene shows
/// its first model.
pub(super) fn shown(data: &DotVoxData) -> Result<Vec<(usize, Placing)>, WorldError> {
    if data.scenes.is_empty() {
        return Ok(vec![(0, Placing::NONE)]);
    }
    let dangling = |what: &str, number: u32| {
        WorldError::new(WorldErrorKind::Dangling, format!("its scene has no {what} {number}"))
    };
    let mut shown = Vec::new();
    let mut open = vec![(0, Placing::NONE)];
    let mut steps = 0;
    while let Some((number, placing)) = open.pop() {
        if steps > MOST_STEPS {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!("its scene has more than {MOST_STEPS} parts, or holds itself"),
            ));
        }
        let node = data.scenes.get(number as usize).ok_or_else(|| dangling("node", number))?;
        match node {
            SceneNode::Transform { attributes, layer_id, .. }
                if attributes.get("_hidden").is_some_and(|value| value == "1")
                    || data.layers.get(*layer_id as usize).is_some_and(Layer::hidden) => {}
            SceneNode::Transform { frames, child, .. } => {
                let own = match frames.first() {
                    Some(frame) => placing_of(|key| frame.attributes.get(key))?,
                    None => Placing::NONE,
                };
                open.push((*child, placing.around(&own)));
                steps += 1;
            }
            SceneNode::Group { children, .. } => {
                open.extend(children.iter().rev().map(|child| (*child, placing)));
                steps += 1 + children.len();
            }
            SceneNode::Shape { models, .. } => {
                if let Some(model) = models.first().map(|model| model.model_id) {
                    if model as usize >= data.models.len() {
                        return Err(dangling("model", model));
                    }
                    shown.push((model as usize, placing));
                }
            }
        }
    }
    if shown.is_empty() {
        return Err(WorldError::new(WorldErrorKind::Syntax, "its scene shows no model"));
    }
    Ok(shown)
}

/// Returns the placing that a frame's properties tell.
fn placing_of<'a>(get: impl Fn(&str) -> Option<&'a String>) -> Result<Placing, WorldError> {
    let bad = |what: &str, value: &str| {
        WorldError::new(WorldErrorKind::Value, format!("'{value}' is no {what} of a model"))
    };
    let mut placing = Placing::NONE;
    if let Some(value) = get("_t") {
        let numbers: Option<Vec<i64>> =
            value.split_whitespace().map(|part| part.parse::<i32>().ok().map(i64::from)).collect();
        let shift = numbers.and_then(|numbers| <[i64; 3]>::try_from(numbers).ok());
        placing.shift = shift.ok_or_else(|| bad("shift", value))?;
    }
    if let Some(value) = get("_r") {
        let rows = value.trim().parse::<u8>().ok().and_then(rows_of);
        placing.rows = rows.ok_or_else(|| bad("turn", value))?;
    }
    Ok(placing)
}

/// Returns two bits each for the axes of the first two rows, then a bit each for the signs of all
/// three.
pub fn rows_of(byte: u8) -> Option<[(usize, i64); 3]> {
    let [first, second] = [byte & 3, byte >> 2 & 3].map(usize::from);
    if first == second || first == 3 || second == 3 {
        return None;
    }
    let sign = |bit: u8| if byte >> bit & 1 == 0 { 1 } else { -1 };
    Some([(first, sign(4)), (second, sign(5)), (3 - first - second, sign(6))])
}
