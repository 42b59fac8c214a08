//! Estimates of the rest of a way: the measures of the engine, or a function in JavaScript, times a
//! weight.

use std::cell::RefCell;

use js_sys::Function;
use wasm_bindgen::JsValue;
use wayfare_core::search::Heuristic;
use wayfare_core::space::{Cost, Measure, Metric, STRAIGHT};
use wayfare_grid::grid::{Cell, GridSpace};

/// What estimates the rest of a way.
pub struct By {
    measure: Measure,
    /// Takes the distances along both axes, in cells.
    function: Option<Function>,
    weight: f64,
    /// What the function threw first. It is not called again then.
    error: RefCell<Option<JsValue>>,
}

impl By {
    /// `measure`: 0 Manhattan, 1 Euclidean, 2 octile, 3 Chebyshev.
    pub fn new(measure: u8, function: Option<Function>, weight: f64) -> Self {
        let measure = match measure {
            0 => Measure::Manhattan,
            1 => Measure::Euclidean,
            2 => Measure::Octile,
            _ => Measure::Chebyshev,
        };
        Self { measure, function, weight, error: RefCell::new(None) }
    }

    /// Returns whether no estimate exceeds the cost of the rest of the way: any search for a
    /// cheapest path then finds one of the same cost.
    pub fn is_below(&self, has_diagonals: bool) -> bool {
        self.function.is_none()
            && self.weight <= 1.0
            && !(has_diagonals && self.measure == Measure::Manhattan)
    }

    /// Returns what the function threw.
    pub fn into_error(self) -> Option<JsValue> {
        self.error.into_inner()
    }

    /// Returns the function's estimate in steps; 0 once it has thrown.
    fn call(&self, function: &Function, dx: u32, dy: u32) -> f64 {
        if self.error.borrow().is_some() {
            return 0.0;
        }
        match function.call2(&JsValue::UNDEFINED, &dx.into(), &dy.into()) {
            Ok(value) => value.as_f64().unwrap_or(0.0),
            Err(error) => {
                self.error.replace(Some(error));
                0.0
            }
        }
    }
}

/// The heuristic of one search.
#[derive(Clone)]
pub struct Estimate<'b>(pub &'b By);

impl<C: Cost> Heuristic<GridSpace<'_, C>> for Estimate<'_> {
    fn estimate(&self, space: &GridSpace<'_, C>, from: Cell, goal: Cell) -> C {
        let Self(by) = self;
        let cost = match &by.function {
            None => space.distance(by.measure, from, goal).to_u64() as f64,
            Some(function) => {
                let at = |cell| space.grid().coordinates(cell);
                let (from, goal) = (at(from), at(goal));
                let steps = by.call(function, from.x.abs_diff(goal.x), from.y.abs_diff(goal.y));
                steps * f64::from(STRAIGHT)
            }
        };
        // What is negative or no number becomes 0, what is too large stays below infinity.
        let weighted = (cost * by.weight) as u64;
        C::from_u64(weighted.min(C::INFINITY.to_u64() / 4))
    }
}
