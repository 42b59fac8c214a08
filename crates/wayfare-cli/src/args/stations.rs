//! Areas and lines at which a crowd is measured.

use glam::DVec2;
use wayfare_measure::{Convex, Station, StationPlace};

/// Takes `NAME=X,Z..X,Z` as an area: the rectangle between two corners.
pub(super) fn area(text: &str) -> Result<Station, String> {
    let (name, [from, to]) = read(text)?;
    if from.x == to.x || from.y == to.y {
        return Err("the corners must differ in x and in z".to_owned());
    }
    Ok(Station { name, place: StationPlace::Area(Convex::rectangle(from, to)) })
}

/// Takes `NAME=X,Z..X,Z` as a line.
pub(super) fn line(text: &str) -> Result<Station, String> {
    let (name, [from, to]) = read(text)?;
    if from == to {
        return Err("the ends of the line must differ".to_owned());
    }
    Ok(Station { name, place: StationPlace::Line { from, to } })
}

fn read(text: &str) -> Result<(String, [DVec2; 2]), String> {
    let form = "it is written as NAME=X,Z..X,Z in metres: door=14,4..14,6";
    let (name, places) = text.split_once('=').ok_or(form)?;
    let (from, to) = places.split_once("..").ok_or(form)?;
    let place = |text: &str| {
        let (x, z) = text.split_once(',')?;
        let place = DVec2::new(x.trim().parse().ok()?, z.trim().parse().ok()?);
        place.is_finite().then_some(place)
    };
    let ends = place(from).zip(place(to)).ok_or(form)?;
    match name.trim() {
        "" => Err(form.to_owned()),
        name => Ok((name.to_owned(), ends.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_two_places() {
        let door = line("door=14,4..14,6").expect("a line");
        let ends = (DVec2::new(14.0, 4.0), DVec2::new(14.0, 6.0));
        assert_eq!(door.place, StationPlace::Line { from: ends.0, to: ends.1 });
        let before = area(" before the door = 14,6 .. 12.5,4").expect("an area");
        let corners = Convex::rectangle(DVec2::new(12.5, 4.0), DVec2::new(14.0, 6.0));
        assert_eq!(
            (before.name.as_str(), before.place),
            ("before the door", StationPlace::Area(corners))
        );
        for wrong in ["14,4..14,6", "a=14,4", "=1,2..3,4", "a=1..2", "a=1,nan..2,3", "a=x,1..2,3"] {
            assert!(line(wrong).is_err() && area(wrong).is_err(), "{wrong}");
        }
        assert!(area("flat=1,2..1,3").is_err() && line("point=1,2..1,2").is_err());
    }
}
