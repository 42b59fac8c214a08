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

    /// Leaves out columns, the first of `dispensable` first, until the table is at most `width`
    /// characters wide. Returns the headings left out.
    pub(crate) fn fit(&mut self, width: usize, dispensable: &[&'static str]) -> Vec<&'static str> {
        let mut left_out = Vec::new();
        for &heading in dispensable {
            let gaps = 2 * self.columns.len().saturating_sub(1);
            if self.widths().iter().sum::<usize>() + gaps <= width {
                break;
            }
            let place = self.columns.iter().position(|(known, _)| *known == heading);
            if let Some(place) = place {
                self.columns.remove(place);
                for row in self.rows.iter_mut().filter(|row| row.len() > place) {
                    row.remove(place);
                }
                left_out.push(heading);
            }
        }
        left_out
    }

    fn widths(&self) -> Vec<usize> {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            let heading = self.columns[column].0.chars().count();
            cells.map(|cell| cell.chars().count()).fold(heading, usize::max)
        };
        (0..self.columns.len()).map(width).collect()
    }

    /// Returns the lines of the table, with headings in bold where the terminal has that.
    pub(crate) fn render(&self, styled: bool) -> String {
        let widths = self.widths();
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

    #[test]
    fn narrow_terminals_get_fewer_columns() {
        let table = || {
            let right = |heading| (heading, Align::Right);
            let mut table = Table::new(&[("name", Align::Left), right("cost"), right("peak")]);
            table.row(["a", "12", "3"].map(str::to_owned));
            table
        };
        for (width, left_out, text) in [
            (16, &[][..], "name  cost  peak\na       12     3\n"),
            (15, &["peak"], "name  cost\na       12\n"),
            (3, &["peak", "cost"], "name\na\n"),
        ] {
            let mut table = table();
            assert_eq!(table.fit(width, &["peak", "cost"]), left_out);
            assert_eq!(table.render(false), text);
        }
    }
}
