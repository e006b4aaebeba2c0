//! How coverage has grown, as a curve of dots: time to the right, branch sides upwards.

use std::time::Duration;

/// Points that are kept at most.
const POINTS: usize = 400;
/// Dots of a character in each direction.
const ACROSS: usize = 2;
const UPWARDS: usize = 4;
/// The character without dots; the bit of each dot, of the left column from above, and of the right one.
const BLANK: u32 = 0x2800;
const DOTS: [[u32; UPWARDS]; ACROSS] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// A number at equal distances of time.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    points: Vec<u64>,
    /// That distance; doubled whenever there are too many points.
    every: Duration,
}

impl Default for Curve {
    fn default() -> Curve {
        Curve {
            points: Vec::new(),
            every: Duration::from_millis(100),
        }
    }
}

impl Curve {
    /// What the number was before the first moment.
    pub fn begin_at(&mut self, number: u64) {
        self.points.push(number);
    }

    /// Takes a moment in.
    pub fn note(&mut self, now: Duration, number: u64) {
        let due = |every: Duration| now.as_millis() / every.as_millis().max(1);
        while due(self.every) >= POINTS as u128 {
            self.points = self.points.iter().copied().skip(1).step_by(2).collect();
            self.every *= 2;
        }
        while self.points.len() as u128 <= due(self.every) {
            self.points.push(number);
        }
    }

    /// The curve from the top row to the lowest, on so many columns; none before there is something to see.
    pub fn rows(&self, columns: usize, rows: usize) -> Vec<String> {
        let (Some(least), Some(most)) = (self.points.iter().min(), self.points.iter().max()) else {
            return Vec::new();
        };
        if columns == 0 || rows == 0 || self.points.len() < 2 {
            return Vec::new();
        }
        let (width, height) = (columns * ACROSS, rows * UPWARDS);
        let range = (most - least).max(1) as usize;
        // From below; a curve that is flat is at its foot.
        let level = |at: usize| {
            let point = self.points[(at * self.points.len() / width).min(self.points.len() - 1)];
            ((point - least) as usize * (height - 1) + range / 2) / range
        };
        let mut cells = vec![vec![BLANK; columns]; rows];
        let mut before = level(0);
        for at in 0..width {
            let now = level(at);
            // Where it jumps, the dots between hold it together.
            let from = if before < now { before + 1 } else { now };
            for dot in from..=now {
                let row = height - 1 - dot;
                cells[row / UPWARDS][at / ACROSS] |= DOTS[at % ACROSS][row % UPWARDS];
            }
            before = now;
        }
        let text =
            |row: Vec<u32>| -> String { row.into_iter().filter_map(char::from_u32).collect() };
        let blank = char::from_u32(BLANK).unwrap_or(' ');
        cells
            .into_iter()
            .map(|row| text(row).trim_end_matches(blank).to_string())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(numbers: &[u64]) -> Curve {
        let mut curve = Curve::default();
        for (at, number) in (0u64..).zip(numbers) {
            curve.note(Duration::from_millis(100 * at), *number);
        }
        curve
    }

    #[test]
    fn it_rises_and_stays() {
        let numbers = [
            0, 10, 20, 30, 30, 30, 30, 30, 31, 31, 31, 31, 31, 31, 31, 40,
        ];
        insta::assert_snapshot!(curve(&numbers).rows(8, 2).join("\n"));
        // A line, not an area: as many dots as columns, and those that hold jumps together.
        let dots = |rows: Vec<String>| -> u32 {
            let chars = rows.iter().flat_map(|row| row.chars());
            chars.map(|char| (char as u32 - BLANK).count_ones()).sum()
        };
        assert_eq!(dots(curve(&[7; 50]).rows(25, 3)), 50);
        assert!(dots(curve(&numbers).rows(8, 2)) < 16 + 8);
    }

    #[test]
    fn days_take_no_more_memory_than_minutes() {
        let mut curve = Curve::default();
        for hour in 0..100 {
            curve.note(Duration::from_secs(hour * 3600), hour);
        }
        assert!(curve.points.len() <= POINTS, "{}", curve.points.len());
        assert_eq!(curve.rows(60, 3).len(), 3);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert!(curve(&[]).rows(10, 3).is_empty());
        assert!(curve(&[3]).rows(10, 3).is_empty());
        assert!(curve(&[3, 4]).rows(0, 3).is_empty());
    }
}
