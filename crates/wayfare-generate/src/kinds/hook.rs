//! A hook that draws a crate into a gap: the crate becomes a bridge.

use wayfare_puzzle::GateForm;

use super::pulley::{Mechanism, Pulley};
use crate::parts::{CrossWall, DoorItem, HookItem, WinchSide};
use crate::{Area, Dice, Ground, HallDraft, Parameter, PartOrder, Place, Values};

/// A hook, and the gap that it bridges.
pub(crate) struct HookAndGap;

pub(crate) const KIND: Pulley<HookAndGap> = Pulley(HookAndGap);

const ABOUT_VARIATION: &str = "1: the winch stands on the shore; 2: at the other end of the hall";

const PARAMETERS: &[Parameter] = &Pulley::<HookAndGap>::parameters(
    Parameter::whole("variation", ABOUT_VARIATION, "", 1, 2).by_default(1.0, 1.0),
);

impl Mechanism for HookAndGap {
    fn name(&self) -> &'static str {
        "hook"
    }

    fn about(&self) -> &'static str {
        "a hall with water across it; a hook draws a crate in as a bridge"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn pans(&self, _: &Values) -> &'static [&'static str] {
        &[]
    }

    fn target(&self, hall: &HallDraft) -> Option<Area> {
        let Area { x, y, .. } = hall.area("passage")?;
        Some(Area::new(x - 2, y, 1, 1)) // a tile from the water
    }

    fn build(
        &self,
        hall: &mut HallDraft,
        levers: &[String],
        values: &Values,
        dice: &mut Dice,
    ) -> Option<()> {
        let (wall, Area { x, y, .. }) = (hall.area("wall")?, hall.area("passage")?);
        let channel = Place::At(Area { y: 1, height: wall.height - 2, ..wall });
        hall.furnish(&PartOrder::new("channel", &CrossWall(Ground::Water), channel), dice)?;
        // The passage is at least three rows from either end of the wall.
        let (from, winch) = match values.whole("variation") {
            2 => (2, WinchSide::Entry),
            _ => (x - 2, WinchSide::Shore),
        };
        let shore = Place::At(Area::new(from, y - 2, x - from, 3));
        let hook = HookItem { winch };
        let drawn = hall.furnish(&PartOrder::new("hook", &hook, shore), dice)?.condition.clone();
        let when = drawn.into_iter().chain(levers.iter().cloned()).collect();
        let bridge = DoorItem { form: GateForm::Bridge, when };
        hall.furnish(&PartOrder::new("gap", &bridge, Place::OnTopOf("passage")), dice)?;
        Some(())
    }
}
