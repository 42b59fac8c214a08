//! A platform on a pulley: a crate in the pan of its counterweight lets it carry one up, over the
//! wall.

use super::pulley::{Mechanism, Pulley};
use crate::parts::{PlatformDrive, PlatformItem};
use crate::{Area, Dice, HallDraft, Parameter, PartOrder, Place, Values};

/// A platform on a pulley, and the pan of its counterweight.
pub(crate) struct Platform;

pub(crate) const KIND: Pulley<Platform> = Pulley(Platform);

const PARAMETERS: &[Parameter] =
    &Pulley::<Platform>::parameters(Parameter::whole("variation", "1: a counterweight", "", 1, 1));

impl Mechanism for Platform {
    fn name(&self) -> &'static str {
        "platform"
    }

    fn about(&self) -> &'static str {
        "a hall with a platform over its wall, which goes up when a crate lies in its pan"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn pans(&self, _: &Values) -> &'static [&'static str] {
        &["pan"] // anywhere: ropes and rollers lead to it
    }

    fn build(
        &self,
        hall: &mut HallDraft,
        levers: &[String],
        _: &Values,
        dice: &mut Dice,
    ) -> Option<()> {
        let Area { x, y, .. } = hall.area("passage")?;
        let over = Place::At(Area::new(x - 1, y, 3, 1));
        let pan = hall.part("pan")?.condition.clone();
        let up = pan.into_iter().chain(levers.iter().cloned()).collect();
        let platform = PlatformItem { cost: 6.0, drive: PlatformDrive::Counterweight { up } };
        hall.furnish(&PartOrder::new("platform", &platform, over), dice)?;
        Some(())
    }
}
