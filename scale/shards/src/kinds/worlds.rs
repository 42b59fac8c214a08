//! Worlds with searchers, kept by the thread that searches them.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::Path;
use std::rc::Rc;

use wayfare::space::StateId;
use wayfare_formats::Files;
use wayfare_site::{OFF_MAP, OpenOptions, Site, SiteError, open_as_from, open_from};

use crate::BatchError;
use crate::plan::{Plan, Planned};

/// The worlds that a thread keeps open.
const KEPT: usize = 3;

thread_local! {
    static OPEN: RefCell<VecDeque<(String, Rc<dyn Site>)>> = const { RefCell::new(VecDeque::new()) };
}

/// Opens a world for an agent: `""`, changes as "neighbours=4 width=2", or "class=boat" of a scene
/// and changes.
pub(crate) fn open(
    path: &Path,
    files: &dyn Files,
    agent: &str,
) -> Result<Box<dyn Site>, SiteError> {
    let (classes, changes): (Vec<&str>, Vec<&str>) =
        agent.split_whitespace().partition(|part| part.starts_with("class="));
    let options = OpenOptions::default();
    let mut site = match classes.first() {
        Some(class) => open_as_from(path, files, &options, &class["class=".len()..])?,
        None => open_from(path, files, &options)?,
    };
    if !changes.is_empty() {
        site.adapt(&changes.join(" "), OFF_MAP)?;
    }
    Ok(site)
}

/// Returns a world of a plan for an agent, as [`open`] knows it.
pub(crate) fn site(plan: &Plan, input: usize, agent: &str) -> Result<Rc<dyn Site>, BatchError> {
    let input = &plan.inputs[input];
    let name = format!("{} {} {agent}", input.hash, input.name);
    let known = OPEN.with_borrow_mut(|open| {
        let at = open.iter().position(|(known, _)| *known == name)?;
        let found = open.remove(at)?;
        open.push_front(found);
        Some(open[0].1.clone())
    });
    if let Some(site) = known {
        return Ok(site);
    }
    let site = open(Path::new(&input.name), &Planned(plan), agent);
    let site: Rc<dyn Site> = site.map_err(|error| BatchError::of_file(&input.name, &error))?.into();
    OPEN.with_borrow_mut(|open| {
        open.push_front((name, site.clone()));
        open.truncate(KEPT);
    });
    Ok(site)
}

/// Returns the state at coordinates of a query: of a cell, a block or metres. An error says in a
/// few words what is wrong with them.
pub(crate) fn state_at(site: &dyn Site, [x, y, z]: [f64; 3]) -> Result<u32, String> {
    if !(x.is_finite() && y.is_finite() && z.is_finite()) {
        return Err("a coordinate is missing or no number".to_owned());
    }
    let state = match site.about().state {
        "cell" => whole([x, y])
            .and_then(|[x, y]| Some(site.grid()?.grid.cell(x, y)?.index()))
            .unwrap_or(OFF_MAP),
        "voxel" => match whole([x, y, z]) {
            Some([x, y, z]) => site.find(&format!("{x},{y},{z}")).unwrap_or(OFF_MAP),
            None => OFF_MAP,
        },
        _ => site.find(&format!("{x},{z}")).unwrap_or(OFF_MAP),
    };
    if site.has_state(state) { Ok(state) } else { Err("it is off the map".to_owned()) }
}

fn whole<const N: usize>(places: [f64; N]) -> Option<[u32; N]> {
    let is_whole = |place: &f64| *place >= 0.0 && *place < 2e9 && place.fract() == 0.0;
    places.iter().all(is_whole).then(|| places.map(|place| place as u32))
}
