//! The abilities that an agent among blocks lacks, and the paths that they would open.

use std::sync::Arc;

use wayfare::explain::voxel::{Capability, Need, Why, why_by};
use wayfare::search::{AStar, solve};
use wayfare::space::{StateId, Voxel, VoxelGrid, VoxelProfile};

use super::{VoxelOwner, VoxelSite, block};
use crate::movement::ability_names;
use crate::searcher::NarrowSearcher;
use crate::{Endpoints, Lack, OpenedPath, SearchRequest, Searcher, SiteError};

impl VoxelSite {
    /// Returns the explanation, kept for the last pair of ends: the reason and the remedies both
    /// ask.
    pub(super) fn why(&self, ends: Endpoints) -> Why {
        let known = self.explained.borrow().clone().filter(|(asked, _)| *asked == ends);
        if let Some((_, known)) = known {
            return known;
        }
        let (start, goal) = (Voxel::from_index(ends.start), Voxel::from_index(ends.goal));
        let found = why_by(&self.grid, self.profile, start, goal, |space, query| {
            solve(&self.passages.over(space), &AStar::new(), query).outcome
        });
        *self.explained.borrow_mut() = Some((ends, found.clone()));
        found
    }

    /// Returns the path of an agent that has these needs met, and the options that meet them.
    pub(super) fn opened_path(
        &self,
        needs: &[Need],
        request: &SearchRequest,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<Option<OpenedPath>, SiteError> {
        let Some(profile) = self.grid.profile(self.profile) else { return Ok(None) };
        let mut profile = profile.clone();
        let able = profile.abilities;
        let given: Vec<(&'static str, Option<String>)> =
            needs.iter().map(|need| give(&mut profile, need)).collect();
        let mut wanted: Vec<String> =
            given.iter().filter_map(|(_, option)| option.clone()).collect();
        if profile.abilities != able {
            wanted.insert(0, format!("abilities {}", ability_names(profile.abilities).join(",")));
        }
        let options: Vec<String> = wanted.iter().map(|option| format!("--{option}")).collect();
        let change: Vec<String> = wanted.iter().map(|option| option.replace(' ', "=")).collect();
        let sentences: Vec<String> = needs.iter().map(better).collect();
        let lacks = needs.iter().zip(&given).map(|(need, (capability, _))| Lack {
            capability,
            needed: need.needed,
            has: need.has,
            at: block(need.at),
            sentence: need.to_string(),
        });
        let mut grid = VoxelGrid::clone(&self.grid);
        let id = grid.add_profile(profile);
        let profile = id.map_err(|error| SiteError::unsearchable(&self.about.file, &error))?;
        let (grid, passages) = (Arc::new(grid), Arc::clone(&self.passages));
        let owner = VoxelOwner { grid, profile, passages, unit: self.about.unit_cost };
        let report = NarrowSearcher::new(owner).run(request, on_progress);
        Ok(report.is_found().then(|| OpenedPath {
            sentence: match options.is_empty() {
                true => format!("if {}", sentences.join(" and ")),
                false => format!("if {} ({})", sentences.join(" and "), options.join(" ")),
            },
            change: change.join(" "),
            opened: None,
            lacks: lacks.collect(),
            length: report.length,
            path: report.path,
        }))
    }
}

/// Gives a profile an ability that it needs. Returns the capability's name and the option for it,
/// if it is not an ability.
fn give(profile: &mut VoxelProfile, need: &Need) -> (&'static str, Option<String>) {
    let needed = need.needed;
    let able = &mut profile.abilities;
    // No need exceeds the range of a profile.
    let small = u8::try_from(needed).unwrap_or(u8::MAX);
    match need.capability {
        Capability::JumpHeight => {
            if !able.jump {
                profile.jump_distance = 0;
            }
            able.jump = true;
            profile.jump_height = small;
            ("jump-height", Some(format!("jump-height {needed}")))
        }
        Capability::JumpDistance => {
            if !able.jump {
                profile.jump_height = 0;
            }
            able.jump = true;
            profile.jump_distance = small;
            ("jump-distance", Some(format!("jump-distance {needed}")))
        }
        Capability::FallDistance => {
            able.fall = true;
            profile.max_fall_distance = needed;
            ("max-fall", Some(format!("max-fall {needed}")))
        }
        Capability::Height => {
            profile.height = small;
            ("character-height", Some(format!("character-height {needed}")))
        }
        Capability::Width => {
            profile.width = small;
            ("width", Some(format!("width {needed}")))
        }
        Capability::Doors => {
            profile.opens_doors = true;
            ("doors", None)
        }
        Capability::Walk => {
            able.walk = true;
            ("walk", None)
        }
        Capability::Climb => {
            able.climb = true;
            ("climb", None)
        }
        Capability::Swim => {
            able.swim = true;
            ("swim", None)
        }
        Capability::Lava => {
            able.swim = true;
            profile.endures_lava = true;
            ("endures-lava", Some("endures-lava".to_owned()))
        }
        Capability::Fly => {
            able.fly = true;
            ("fly", None)
        }
        _ => ("unknown", None),
    }
}

/// Returns the change, as the middle of a sentence.
fn better(need: &Need) -> String {
    let needed = need.needed;
    match need.capability {
        Capability::JumpHeight => format!("it jumps {needed} high"),
        Capability::JumpDistance => format!("it jumps across gaps of {needed}"),
        Capability::FallDistance => format!("it may fall {needed}"),
        Capability::Height => format!("it is {needed} high"),
        Capability::Width => format!("it is {needed} wide"),
        Capability::Doors => "it opens doors".to_owned(),
        Capability::Walk => "it walks".to_owned(),
        Capability::Climb => "it climbs".to_owned(),
        Capability::Swim => "it swims".to_owned(),
        Capability::Lava => "it swims in lava".to_owned(),
        Capability::Fly => "it flies".to_owned(),
        _ => "it can do more".to_owned(),
    }
}
