//! Danger that is painted onto a world.

use wayfare::link::MOST_DANGER;

/// Danger as it is written: a place or two, and a cost.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct DangerArg {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) amount: f32,
}

impl DangerArg {
    /// Takes `PLACE=COST` or `PLACE..PLACE=COST`.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let form = "danger is written as PLACE=COST or PLACE..PLACE=COST: 2,1..5,4=10";
        let (area, cost) = text.rsplit_once('=').ok_or(form)?;
        let amount = cost.trim().parse::<f32>().map_err(|_| form)?;
        if !(0.0..=MOST_DANGER).contains(&amount) {
            return Err(format!("the cost must be a number from 0 to {MOST_DANGER}"));
        }
        let (from, to) = area.split_once("..").unwrap_or((area, area));
        let [from, to] = [from, to].map(|place| place.trim().to_owned());
        if from.is_empty() || to.is_empty() {
            return Err(form.to_owned());
        }
        Ok(Self { from, to, amount })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_place_or_two_and_a_cost() {
        let read = |text| DangerArg::read(text).unwrap();
        let two = read("2,1..5,4=10");
        assert_eq!((two.from.as_str(), two.to.as_str(), two.amount), ("2,1", "5,4", 10.0));
        let one = read("well=0.5");
        assert_eq!((one.from.as_str(), one.to.as_str(), one.amount), ("well", "well", 0.5));
        for wrong in ["2,1", "=3", "..4,4=1", "2,1=x", "2,1=-1", "2,1=nan", "2,1=1e9"] {
            assert!(DangerArg::read(wrong).is_err(), "{wrong}");
        }
    }
}
