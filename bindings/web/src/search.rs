//! A search that is stepped and watched.

use js_sys::{Float32Array, Float64Array, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::*;
use wayfare::search::Progress;
use wayfare_site::{
    Endpoints, SearchEvent, SearchReport, SearchRequest, SearchSession, trace_hash,
};

use wayfare_web_values::object;

/// A search that is stepped and watched. Sliced in any way, it does the same.
#[wasm_bindgen]
pub struct Search {
    session: Box<dyn SearchSession>,
    request: SearchRequest,
    /// The number of events that were handed out.
    told: usize,
    unit: f64,
}

impl Search {
    pub(crate) fn new(session: Box<dyn SearchSession>, unit: f64, request: SearchRequest) -> Self {
        Self { session, request, told: 0, unit }
    }

    pub(crate) fn finish(self) -> (SearchReport, Endpoints) {
        (self.session.finish(), self.request.ends)
    }
}

#[wasm_bindgen]
impl Search {
    /// Makes up to that many expansions. Returns whether the search has come to its end.
    pub fn step(&mut self, expansions: u32) -> bool {
        self.session.step(u64::from(expansions)) == Progress::Done
    }

    /// The number of events so far.
    #[wasm_bindgen(getter, js_name = eventCount)]
    pub fn event_count(&self) -> usize {
        self.session.events().len()
    }

    /// The events since the last call. Costs are in units of length on plain ground.
    #[wasm_bindgen(unchecked_return_type = "Events")]
    pub fn events(&mut self) -> JsValue {
        let events = self.session.events();
        let news = events.get(self.told..).unwrap_or_default();
        let columns = columns(news, self.unit);
        self.told = events.len();
        columns
    }

    /// On navigation meshes, for each event so far the interval that it is about: x, height, z of
    /// its root, of its left and of its right end. Elsewhere empty.
    pub fn intervals(&self) -> Float32Array {
        let intervals = self.session.intervals().iter();
        let flat = intervals.flat_map(|one| [one.root, one.left, one.right]);
        Float32Array::from(&flat.flat_map(|at| at.to_array()).collect::<Vec<f32>>()[..])
    }

    /// A hash of all events so far, in hexadecimal: the same for the same search on every machine,
    /// in native programs too.
    #[wasm_bindgen(js_name = traceHash)]
    pub fn trace_hash(&self) -> String {
        format!("{:016x}", trace_hash(self.session.events()))
    }
}

/// Events in columns.
pub(crate) fn columns(events: &[SearchEvent], unit: f64) -> JsValue {
    let kinds: Vec<u8> = events.iter().map(|event| event.kind as u8).collect();
    let sides: Vec<u8> = events.iter().map(|event| event.side as u8).collect();
    let states: Vec<u32> = events.iter().map(|event| event.state).collect();
    let parents: Vec<u32> = events.iter().map(|event| event.parent).collect();
    let g: Vec<f64> = events.iter().map(|event| event.g as f64 / unit).collect();
    let h: Vec<f64> = events.iter().map(|event| event.h as f64 / unit).collect();
    object(&[
        ("count", (events.len() as u32).into()),
        ("kinds", Uint8Array::from(&kinds[..]).into()),
        ("sides", Uint8Array::from(&sides[..]).into()),
        ("states", Uint32Array::from(&states[..]).into()),
        ("parents", Uint32Array::from(&parents[..]).into()),
        ("g", Float64Array::from(&g[..]).into()),
        ("h", Float64Array::from(&h[..]).into()),
    ])
}
