//! Lines over logarithmic axes, as SVG.

use std::fmt::Write;

pub struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

pub struct Axis {
    pub title: &'static str,
    /// By powers of ten; else from zero.
    pub logarithmic: bool,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 170.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
const COLOURS: [&str; 6] = [
    "#1b6ca8", "#c1440e", "#2e7d32", "#7b3fa0", "#8a6d00", "#444444",
];
/// Lines are told apart without colours, too.
const DASHES: [&str; 6] = ["", "7 4", "2 3", "9 3 2 3", "1 5", "12 4"];

/// From values to places.
struct Scale {
    logarithmic: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(values: &[f64], logarithmic: bool, from: f64, to: f64) -> Scale {
        let high = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let (low, high) = match logarithmic {
            true => {
                let low = values.iter().copied().fold(high, f64::min).max(1e-4);
                (low.log10().floor(), high.log10().ceil())
            }
            false => (0.0, high),
        };
        Scale {
            logarithmic,
            low,
            high: high.max(low + 1.0),
            from,
            to,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let value = match self.logarithmic {
            true => value.max(1e-4).log10(),
            false => value,
        };
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    fn ticks(&self) -> Vec<f64> {
        match self.logarithmic {
            true => (self.low as i32..=self.high as i32)
                .map(|power| 10f64.powi(power))
                .collect(),
            false => (0..=4)
                .map(|part| self.high * f64::from(part) / 4.0)
                .collect(),
        }
    }
}

pub fn draw(title: &str, x: &Axis, y: &Axis, lines: &[Line]) -> String {
    let all = || lines.iter().flat_map(|line| line.points.iter().copied());
    let xs: Vec<f64> = all().map(|(x, _)| x).collect();
    let ys: Vec<f64> = all().map(|(_, y)| y).collect();
    let across = Scale::new(&xs, x.logarithmic, LEFT, WIDTH - RIGHT);
    let up = Scale::new(&ys, y.logarithmic, HEIGHT - BOTTOM, TOP);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{title}</text>\n"
    );
    for tick in across.ticks() {
        let at = across.place(tick);
        let (top, bottom) = (TOP, HEIGHT - BOTTOM);
        let _ = writeln!(
            text,
            "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#dddddd\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 16.0,
            number(tick)
        );
    }
    for tick in up.ticks() {
        let at = up.place(tick);
        let right = WIDTH - RIGHT;
        let _ = writeln!(
            text,
            "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#dddddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            at + 4.0,
            number(tick)
        );
    }
    let middle = (LEFT + WIDTH - RIGHT) / 2.0;
    let _ = writeln!(
        text,
        "<text x=\"{middle}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text x=\"14\" y=\"{:.1}\" transform=\"rotate(-90 14 {:.1})\" text-anchor=\"middle\">{}</text>",
        HEIGHT - 12.0,
        x.title,
        HEIGHT / 2.0,
        HEIGHT / 2.0,
        y.title
    );
    for (index, line) in lines.iter().enumerate() {
        let (colour, dash) = (COLOURS[index % 6], DASHES[index % 6]);
        let points: Vec<String> = line
            .points
            .iter()
            .map(|(x, y)| format!("{:.1},{:.1}", across.place(*x), up.place(*y)))
            .collect();
        let (key, below) = (WIDTH - RIGHT + 12.0, TOP + 20.0 * index as f64 + 8.0);
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" \
             stroke-dasharray=\"{dash}\"/>\
             <path d=\"M{key} {below:.1}h28\" stroke=\"{colour}\" stroke-width=\"2\" \
             stroke-dasharray=\"{dash}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            points.join(" "),
            key + 34.0,
            below + 4.0,
            line.name
        );
    }
    text.push_str("</svg>\n");
    text
}

fn number(value: f64) -> String {
    match value {
        v if v >= 1e5 => format!("10^{:.0}", v.log10()),
        v if v >= 10.0 || v == v.round() => format!("{v:.0}"),
        v => format!("{v}"),
    }
}
