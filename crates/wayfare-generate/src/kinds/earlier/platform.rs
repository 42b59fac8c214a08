//! Platforms, version 1: all of them are moved by counterweights.

use crate::kinds::platform::{KIND, Platform};
use crate::kinds::pulley::{Mechanism, Pulley};
use crate::{Dice, HallDraft, Parameter, Scenario, Values};

pub(in crate::kinds) const PLATFORM_1: Pulley<Platform1> = Pulley(Platform1);

pub(in crate::kinds) struct Platform1;

const PARAMETERS: &[Parameter] =
    &Pulley::<Platform1>::parameters(Parameter::whole("variation", "1: a counterweight", "", 1, 1));

impl Mechanism for Platform1 {
    fn name(&self) -> &'static str {
        KIND.name()
    }

    fn about(&self) -> &'static str {
        "a hall with a platform over its wall, which goes up when a crate lies in its pan"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn pans(&self, values: &Values) -> &'static [&'static str] {
        Platform.pans(values)
    }

    fn build(
        &self,
        hall: &mut HallDraft,
        levers: &[String],
        values: &Values,
        dice: &mut Dice,
    ) -> Option<()> {
        Platform.build(hall, levers, values, dice)
    }
}
