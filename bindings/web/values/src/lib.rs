//! Values on their way from and to JavaScript.

use js_sys::{Array, Float64Array, JSON, Object, Reflect, Uint8Array, Uint32Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;
use wayfare_site::MemoryFiles;

/// An error of the engine as one of JavaScript, with all its causes.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub fn failure(error: impl std::error::Error) -> JsError {
    JsError::new(&error.to_string())
}

/// Reads an object; a missing one is empty.
pub fn parse<T: DeserializeOwned + Default>(value: &JsValue) -> Result<T, JsError> {
    if value.is_undefined() || value.is_null() {
        return Ok(T::default());
    }
    let text = JSON::stringify(value).ok().and_then(|text| text.as_string());
    let text = text.ok_or_else(|| JsError::new("options are a plain object"))?;
    serde_json::from_str(&text).map_err(failure)
}

/// A short value as a plain object.
pub fn words(value: &(impl Serialize + ?Sized)) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(value).map_err(failure)?;
    JSON::parse(&text).map_err(|_| JsError::new("a value that JSON does not hold"))
}

/// The files of an object, by their names.
pub fn beside(files: Option<Object>) -> MemoryFiles {
    let mut beside = MemoryFiles::new();
    for entry in files.iter().flat_map(Object::entries) {
        let entry = Array::from(&entry);
        let name = entry.get(0).as_string().unwrap_or_default();
        beside = beside.with(name, Uint8Array::new(&entry.get(1)).to_vec());
    }
    beside
}

/// An object of these fields.
pub fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a new, plain object cannot fail.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}

pub fn numbers(values: &[u32]) -> JsValue {
    Uint32Array::from(values).into()
}

pub fn costs(values: &[f64]) -> JsValue {
    Float64Array::from(values).into()
}

pub fn strings<'t>(values: impl Iterator<Item = &'t str>) -> JsValue {
    values.map(JsValue::from_str).collect::<Array>().into()
}
