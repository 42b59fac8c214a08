//! Answers and explanations as objects.

use serde::Serialize;
use wasm_bindgen::prelude::*;
use wayfare::search::{AlgorithmId, Guarantee, NoPath};
use wayfare_site::{
    Ending, Endpoints, EngineName, Explanation, SearchReport, Site, TraceEventKind, reason_of,
};

use wayfare_web_values::{costs, numbers, object, words};

#[derive(Serialize)]
pub(crate) struct AlgorithmLine {
    name: &'static str,
    title: &'static str,
    summary: &'static str,
    guarantee: &'static str,
}

pub(crate) fn catalog() -> Vec<AlgorithmLine> {
    let line = |id: &AlgorithmId| {
        let info = id.info();
        let guarantee = match info.guarantee {
            Guarantee::Optimal => "optimal",
            Guarantee::Bounded => "bounded",
            Guarantee::FewestMoves => "fewest moves",
            Guarantee::AnyAngle => "any angle",
            _ => "none",
        };
        AlgorithmLine { name: info.name, title: info.title, summary: info.summary, guarantee }
    };
    let on_meshes = EngineName::ON_MESHES.iter().map(|(engine, summary)| {
        let guarantee = match engine.guarantee() {
            Guarantee::Optimal => "optimal",
            _ => "none",
        };
        AlgorithmLine { name: engine.name(), title: engine.title(), summary, guarantee }
    });
    AlgorithmId::ALL.iter().map(line).chain(on_meshes).collect()
}

pub(crate) fn report(site: &dyn Site, report: &SearchReport, ends: Endpoints) -> JsValue {
    let unit = site.about().unit_cost;
    let path: Vec<u32> = report.path.iter().map(|step| step.state).collect();
    let along: Vec<f64> = report.path.iter().map(|step| step.cost as f64 / unit).collect();
    let number = |count: u64| JsValue::from_f64(count as f64);
    let text = |text: Option<String>| text.map_or(JsValue::NULL, JsValue::from);
    object(&[
        ("ending", report.ending.name().into()),
        ("found", report.is_found().into()),
        ("reason", text(reason_of(site, report, ends))),
        ("method", report.method.into()),
        ("because", text(report.chosen_because.clone())),
        ("path", numbers(&path)),
        ("costs", costs(&along)),
        ("corridor", numbers(&report.corridor)),
        ("cost", (report.cost() as f64 / unit).into()),
        ("length", report.length.into()),
        ("expanded", number(report.stats.expanded)),
        ("generated", number(report.stats.generated)),
        ("reopened", number(report.stats.reopened)),
        ("heapPeak", number(report.stats.heap_peak as u64)),
        ("milliseconds", (report.elapsed.as_secs_f64() * 1000.0).into()),
    ])
}

#[derive(Serialize)]
struct RemedyLine<'w> {
    sentence: &'w str,
    change: &'w str,
    length: f64,
}

pub(crate) fn why(site: &dyn Site, why: &Explanation, ends: Endpoints) -> Result<JsValue, JsError> {
    let remedies: Vec<RemedyLine<'_>> = why
        .remedies
        .iter()
        .map(|remedy| RemedyLine {
            sentence: &remedy.sentence,
            change: &remedy.change,
            length: remedy.length,
        })
        .collect();
    let nearest = why.nearest.as_ref().map(|nearest| nearest.place.to_string());
    Ok(object(&[
        ("reason", why.reason.as_deref().map_or(JsValue::NULL, JsValue::from)),
        ("straightLine", why.straight_line.map_or(JsValue::NULL, JsValue::from)),
        ("nearest", nearest.map_or(JsValue::NULL, JsValue::from)),
        ("remedies", words(&remedies)?),
        ("shares", words(&why.shares)?),
        ("reached", numbers(&reached(site, why, ends))),
        ("report", report(site, &why.report, ends)),
    ]))
}

/// The states that can be reached from the start, in order: the start's region where the engine
/// knew at once that the goal lies in another, else the states that the search expanded.
fn reached(site: &dyn Site, why: &Explanation, ends: Endpoints) -> Vec<u32> {
    let mut states = Vec::new();
    if matches!(why.report.ending, Ending::NoPath(NoPath::DifferentIslands { .. })) {
        let mut home = None;
        site.for_each_free(&mut |free| {
            if free.state == ends.start {
                home = Some(free.region);
            }
        });
        site.for_each_free(&mut |free| {
            if Some(free.region) == home {
                states.push(free.state);
            }
        });
        return states;
    }
    let events = why.report.trace.iter().flat_map(|trace| &trace.events);
    states.extend(
        events.filter(|event| event.kind == TraceEventKind::Expand).map(|event| event.state),
    );
    states.sort_unstable();
    states.dedup();
    states
}
