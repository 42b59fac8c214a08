//! Recorded searches as files.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use wayfare_site::{
    Endpoints, SearchRequest, Site, TraceEventKind, TraceFile, TracedSearch, trace_hash,
};

use crate::search::columns;
use wayfare_web_values::{costs, failure, numbers, object, words};

/// Recorded searches that answer one query: a file that the command reads and writes, too.
#[wasm_bindgen]
pub struct Recording {
    /// The name of the file, for errors.
    name: String,
    file: TraceFile,
}

#[wasm_bindgen]
impl Recording {
    /// Reads a file. An error names the place and the fault.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Recording, JsError> {
        let file = TraceFile::read(name, bytes).map_err(failure)?;
        Ok(Self { name: name.to_owned(), file })
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> Result<Uint8Array, JsError> {
        let mut bytes = Vec::new();
        self.file.write(&mut bytes).map_err(failure)?;
        Ok(Uint8Array::from(&bytes[..]))
    }

    /// The world that was searched.
    #[wasm_bindgen(getter, unchecked_return_type = "TracedWorld")]
    pub fn world(&self) -> Result<JsValue, JsError> {
        words(&self.file.world)
    }
}

impl Recording {
    pub(crate) fn of(
        site: &dyn Site,
        ends: Endpoints,
        requests: &[SearchRequest],
        most_events: usize,
        link: Option<String>,
    ) -> Self {
        let mut file = TraceFile::new(site, ends);
        file.world.link = link;
        file.searches =
            requests.iter().map(|one| TracedSearch::record(site, one, most_events)).collect();
        Self { name: "search.trace.json".to_owned(), file }
    }

    pub(crate) fn replay(&self, site: &dyn Site) -> Result<JsValue, JsError> {
        self.file.check(&self.name, site).map_err(failure)?;
        let unit = self.file.world.unit_cost;
        let searches = self.file.searches.iter().map(|search| {
            let events = &search.trace.events[..];
            object(&[
                ("algorithm", search.algorithm.as_str().into()),
                ("heuristic", search.heuristic.as_str().into()),
                ("isWhole", search.is_whole.into()),
                ("events", columns(events, unit)),
                ("report", report(search, unit)),
                ("hash", format!("{:016x}", trace_hash(events)).into()),
            ])
        });
        Ok(object(&[
            ("start", self.file.query.start.into()),
            ("goal", self.file.query.goal.into()),
            ("searches", searches.collect::<Array>().into()),
        ]))
    }
}

/// The report of a recorded search. Its counters are those of the events.
fn report(search: &TracedSearch, unit: f64) -> JsValue {
    let along: Vec<f64> = search.costs.iter().map(|&cost| cost as f64 / unit).collect();
    let count = |kind| JsValue::from_f64(search.trace.count(kind) as f64);
    object(&[
        ("ending", search.ending.as_str().into()),
        ("found", search.is_found().into()),
        ("reason", JsValue::NULL),
        ("method", search.algorithm.as_str().into()),
        ("because", JsValue::NULL),
        ("path", numbers(&search.path)),
        ("costs", costs(&along)),
        ("corridor", numbers(&[])),
        ("cost", (search.cost() as f64 / unit).into()),
        ("length", search.length.into()),
        ("expanded", count(TraceEventKind::Expand)),
        ("generated", count(TraceEventKind::Generate)),
        ("reopened", count(TraceEventKind::Reopen)),
        ("heapPeak", (search.heap_peak as f64).into()),
        ("milliseconds", 0.into()),
    ])
}
