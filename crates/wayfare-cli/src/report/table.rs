//! Tables of text.

use anstyle::{Effects, Style};

/// On which side the texts of a column stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table whose columns are as wide as they must be.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The lines of the table, with headings in bold where the terminal has that.
    pub(crate) fn render(&self, styled: bool) -> String {
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                let heading = self.columns[column].0.chars().count();
                cells.map(|cell| cell.chars().count()).fold(heading, usize::max)
            })
            .collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let mut line = String::new();
            for ((cell, width), (_, align)) in cells.zip(&widths).zip(&self.columns) {
                let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
                match align {
                    Align::Left => line.extend([cell, &padding, "  "]),
                    Align::Right => line.extend([&padding, cell, "  "]),
                }
            }
            line.truncate(line.trim_end().len());
            line
        };
        let bold = if styled { Style::new().effects(Effects::BOLD) } else { Style::new() };
        let headings = line(&mut self.columns.iter().map(|(heading, _)| *heading));
        let mut text = format!("{bold}{headings}{bold:#}\n");
        for row in &self.rows {
            text.push_str(&line(&mut row.iter().map(String::as_str)));
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_they_must_be() {
        let mut table = Table::new(&[("name", Align::Left), ("n", Align::Right)]);
        table.row(["a".to_owned(), "12".to_owned()]);
        table.row(["longer".to_owned(), "3".to_owned()]);
        assert_eq!(table.render(false), "name     n\na       12\nlonger   3\n");
    }
}
