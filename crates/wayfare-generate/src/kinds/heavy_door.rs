//! A heavy door on a pulley: a crate on the plate raises it.

use super::pulley::{Mechanism, Pulley};
use crate::parts::DoorItem;
use crate::{Dice, HallDraft, Parameter, PartOrder, Place, Values};

/// A door on a pulley, and the plates that raise it.
pub(crate) struct HeavyDoor;

pub(crate) const KIND: Pulley<HeavyDoor> = Pulley(HeavyDoor);

const ABOUT_VARIATION: &str = "1: a crate on a plate raises it; 2: two plates, each with a crate; \
    3: the crate on its plate holds it down";

const PARAMETERS: &[Parameter] = &Pulley::<HeavyDoor>::parameters(
    Parameter::whole("variation", ABOUT_VARIATION, "", 1, 3).by_default(1.0, 1.0),
);

impl Mechanism for HeavyDoor {
    fn name(&self) -> &'static str {
        "heavy-door"
    }

    fn about(&self) -> &'static str {
        "a hall with a heavy door, which a crate on a plate raises"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn pans(&self, values: &Values) -> &'static [&'static str] {
        if values.whole("variation") == 2 { &["plate", "plate 2"] } else { &["plate"] }
    }

    fn starts_loaded(&self, values: &Values) -> bool {
        values.whole("variation") == 3
    }

    fn least_pushes(&self, values: &Values) -> usize {
        if self.starts_loaded(values) { 1 } else { 3 }
    }

    fn build(
        &self,
        hall: &mut HallDraft,
        levers: &[String],
        values: &Values,
        dice: &mut Dice,
    ) -> Option<()> {
        let not = if self.starts_loaded(values) { "not " } else { "" };
        let mut door = DoorItem::heavy("plate");
        door.when = self.pans(values).iter().map(|name| format!("{not}plate {name}")).collect();
        door.when.extend_from_slice(levers);
        hall.furnish(&PartOrder::new("heavy door", &door, Place::OnTopOf("passage")), dice)?;
        Some(())
    }
}
