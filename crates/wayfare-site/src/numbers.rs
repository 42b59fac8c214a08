//! Numbers in readable form.

use std::time::Duration;

/// Returns a number with a comma between its thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Returns a count with its noun: "1 tile", "2,000 tiles".
pub fn counted(number: u64, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{} {thing}s", grouped(number)),
    }
}

/// Returns a number with `places` decimals, and a comma between its thousands.
pub fn decimals(number: f64, places: usize) -> String {
    let text = format!("{number:.places$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let Ok(digits) = digits.parse::<u64>() else { return text };
    let is_zero = digits == 0 && fraction.bytes().all(|digit| digit == b'0');
    let sign = if is_zero { "" } else { sign };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", grouped(digits))
}

/// Returns a number with at most two decimals, and no trailing zeros.
pub fn tidy(number: f64) -> String {
    let text = decimals(number, 2);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns a number without the noise of its last digits, for JSON.
pub fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// Returns a duration in microseconds.
pub fn micros(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e7).round() / 10.0
}

/// Returns the value below which `share` of the sorted values lie: the nearest rank. Zero for none.
pub fn percentile<T: Copy + Default>(sorted: &[T], share: f64) -> T {
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}
