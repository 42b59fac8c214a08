//! A platform over a wall: one on a pulley, which goes up when a crate lies in the pan of its
//! counterweight, or one with a timetable, behind a heavy door.

use wayfare_scene::scene::PuzzleTimetable;

use super::pulley::{Mechanism, Pulley};
use crate::parts::{CrossWall, DoorItem, PlatformDrive, PlatformItem};
use crate::{Area, Dice, Ground, HallDraft, Parameter, PartOrder, Place, Values};

/// A platform, and the pan or plate that works it.
pub(crate) struct Platform;

pub(crate) const KIND: Pulley<Platform> = Pulley(Platform);

/// The cost of a ride in steps.
const RIDE: f32 = 6.0;

const ABOUT_VARIATION: &str =
    "1: a counterweight moves it; 2: it has a timetable, and stands behind a heavy door";

const PARAMETERS: &[Parameter] =
    &Pulley::<Platform>::parameters(Parameter::whole("variation", ABOUT_VARIATION, "", 1, 2));

impl Mechanism for Platform {
    fn name(&self) -> &'static str {
        "platform"
    }

    fn about(&self) -> &'static str {
        "a hall with a platform over a wall, moved by a crate in its pan or by a timetable"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    /// 2: timetables.
    fn version(&self) -> u32 {
        2
    }

    fn pans(&self, _: &Values) -> &'static [&'static str] {
        &["pan"] // anywhere: ropes and rollers lead to it
    }

    fn build(
        &self,
        hall: &mut HallDraft,
        levers: &[String],
        values: &Values,
        dice: &mut Dice,
    ) -> Option<()> {
        let Area { x, y, .. } = hall.area("passage")?;
        let pan = hall.part("pan")?.condition.clone();
        let up = pan.into_iter().chain(levers.iter().cloned()).collect();
        let mut over = Area::new(x - 1, y, 3, 1);
        let drive = if values.whole("variation") == 2 {
            let mut door = DoorItem::heavy("pan");
            door.when = up;
            hall.furnish(&PartOrder::new("heavy door", &door, Place::OnTopOf("passage")), dice)?;
            // A second wall, two tiles behind the first.
            let wall = hall.area("wall")?;
            let second = Place::At(Area { x: x + 2, ..wall });
            let wall = CrossWall(Ground::Wall);
            hall.furnish(&PartOrder::new("second wall", &wall, second), dice)?;
            over.x = x + 1;
            let period = dice.between(16, 40) as f32;
            let up_at = dice.between(0, 15) as f32;
            let down_at = (up_at + (period / 2.0).floor()) % period;
            PlatformDrive::Timetable(PuzzleTimetable { period, up_at, down_at })
        } else {
            PlatformDrive::Counterweight { up }
        };
        let platform = PlatformItem { cost: RIDE, drive };
        hall.furnish(&PartOrder::new("platform", &platform, Place::At(over)), dice)?;
        Some(())
    }
}
