//! Where the boxes of a drawing stand: in layers from left to right, by how far they are from the
//! roots, each as near as possible to those that it is joined with.

/// A box to be placed.
pub struct Block {
    pub layer: usize,
    pub width: i32,
    pub height: i32,
    /// The way that leads here is told by where it leaves its block.
    pub rows: usize,
}

/// An arrow from a row of one block to another block.
#[derive(Clone, Copy)]
pub struct Join {
    pub from: usize,
    pub row: usize,
    pub to: usize,
}

/// Sweeps over the layers; more change little.
const SWEEPS: usize = 6;

/// The left side of each block; `gaps[n]` is the room to leave behind layer `n`.
pub fn across(blocks: &[Block], gaps: &[i32]) -> Vec<i32> {
    let mut widths = vec![0; count(blocks)];
    for block in blocks {
        widths[block.layer] = block.width.max(widths[block.layer]);
    }
    let mut left = 0;
    let mut sides = Vec::new();
    for (number, width) in widths.into_iter().enumerate() {
        sides.push(left);
        left += width + gaps.get(number).copied().unwrap_or(0);
    }
    blocks.iter().map(|block| sides[block.layer]).collect()
}

/// The top of each block; `between` is the room between blocks of one layer, and `row` says how far
/// below the top of a block a row of it is.
pub fn down(
    blocks: &[Block],
    joins: &[Join],
    between: i32,
    row: impl Fn(usize, usize) -> i32,
) -> Vec<i32> {
    let mut layers = vec![Vec::new(); count(blocks)];
    for (index, block) in blocks.iter().enumerate() {
        layers[block.layer].push(index);
    }
    let forward: Vec<Join> = joins
        .iter()
        .filter(|join| blocks[join.to].layer == blocks[join.from].layer + 1)
        .copied()
        .collect();
    let layers = order(blocks, &forward, layers);
    heights(blocks, &forward, &layers, between, row)
}

fn count(blocks: &[Block]) -> usize {
    blocks
        .iter()
        .map(|block| block.layer + 1)
        .max()
        .unwrap_or(0)
}

/// Sorts each layer by the mean place of those that its blocks are joined with, back and forth,
/// and keeps what crossed least.
fn order(blocks: &[Block], joins: &[Join], mut layers: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut best = (crossings(blocks, joins, &layers), layers.clone());
    for sweep in 0..SWEEPS {
        let to_the_right = sweep % 2 == 0;
        let numbers: Vec<usize> = match to_the_right {
            true => (1..layers.len()).collect(),
            false => (0..layers.len().saturating_sub(1)).rev().collect(),
        };
        for number in numbers {
            let places = positions(blocks.len(), &layers);
            let mean = |index: usize| {
                let beside = joins.iter().filter_map(|join| match to_the_right {
                    true if join.to == index => Some(leaving(blocks, &places, join)),
                    false if join.from == index => Some(places[join.to]),
                    _ => None,
                });
                mean(beside).unwrap_or(places[index])
            };
            let mut keyed: Vec<(f64, usize)> = layers[number]
                .iter()
                .map(|index| (mean(*index), *index))
                .collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            layers[number] = keyed.into_iter().map(|(_, index)| index).collect();
        }
        let crossed = crossings(blocks, joins, &layers);
        if crossed < best.0 {
            best = (crossed, layers.clone());
        }
    }
    best.1
}

fn positions(count: usize, layers: &[Vec<usize>]) -> Vec<f64> {
    let mut places = vec![0.0; count];
    for layer in layers {
        for (place, index) in layer.iter().enumerate() {
            places[*index] = place as f64;
        }
    }
    places
}

/// Where an arrow leaves its layer: the place of its block, and the row within it.
fn leaving(blocks: &[Block], places: &[f64], join: &Join) -> f64 {
    places[join.from] + (join.row + 1) as f64 / (blocks[join.from].rows + 2) as f64
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

fn crossings(blocks: &[Block], joins: &[Join], layers: &[Vec<usize>]) -> usize {
    let places = positions(blocks.len(), layers);
    let ends = |join: &Join| (leaving(blocks, &places, join), places[join.to]);
    let mut count = 0;
    for (index, join) in joins.iter().enumerate() {
        let (begin, end) = ends(join);
        for other in &joins[index + 1..] {
            if blocks[other.from].layer == blocks[join.from].layer {
                let (other_begin, other_end) = ends(other);
                count += usize::from((begin - other_begin) * (end - other_end) < 0.0);
            }
        }
    }
    count
}

/// Moves every block towards those it is joined with, as far as its neighbours let it.
fn heights(
    blocks: &[Block],
    joins: &[Join],
    layers: &[Vec<usize>],
    between: i32,
    row: impl Fn(usize, usize) -> i32,
) -> Vec<i32> {
    let half = |index: usize| f64::from(blocks[index].height) / 2.0;
    let mut centre = vec![0.0; blocks.len()];
    for sweep in 0..SWEEPS {
        let to_the_right = sweep % 2 == 0;
        for turn in 0..layers.len() {
            let number = match to_the_right {
                true => turn,
                false => layers.len() - 1 - turn,
            };
            let wanted = layers[number].iter().map(|index| {
                let beside = joins.iter().filter_map(|join| match to_the_right {
                    true if join.to == *index => {
                        let siblings = joins.iter().filter(|other| other.from == join.from);
                        let from = centre[join.from];
                        // An only child stands beside its parent, others beside their rows.
                        Some(match siblings.count() {
                            1 => from,
                            _ => from - half(join.from) + f64::from(row(join.from, join.row)),
                        })
                    }
                    false if join.from == *index => Some(centre[join.to]),
                    _ => None,
                });
                mean(beside).unwrap_or(centre[*index])
            });
            let wanted: Vec<f64> = wanted.collect();
            let sizes: Vec<f64> = layers[number]
                .iter()
                .map(|index| f64::from(blocks[*index].height + between))
                .collect();
            for (index, place) in layers[number].iter().zip(apart(&wanted, &sizes)) {
                centre[*index] = place;
            }
        }
    }
    let top = |index: usize| centre[index] - half(index);
    let least = (0..blocks.len()).map(top).fold(f64::INFINITY, f64::min);
    (0..blocks.len())
        // Rounding down never brings two of them nearer than a unit, which `between` has to spare.
        .map(|index| (top(index) - least).floor() as i32)
        .collect()
}

/// Centres as near to the wanted ones as they can be in this order, when each needs its size.
fn apart(wanted: &[f64], sizes: &[f64]) -> Vec<f64> {
    // Without the room that those before need, the places must only not decrease: neighbours that
    // would are given their mean (pool adjacent violators).
    let mut needed = Vec::with_capacity(sizes.len());
    let mut sum = 0.0;
    for (index, size) in sizes.iter().enumerate() {
        if index > 0 {
            sum += (sizes[index - 1] + size) / 2.0;
        }
        needed.push(sum);
    }
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (wanted, needed) in wanted.iter().zip(&needed) {
        let mut pool = (wanted - needed, 1);
        while let Some((mean, count)) = pools.last().copied()
            && mean > pool.0
        {
            pools.pop();
            let both = count + pool.1;
            pool.0 = (mean * count as f64 + pool.0 * pool.1 as f64) / both as f64;
            pool.1 = both;
        }
        pools.push(pool);
    }
    let places = pools
        .into_iter()
        .flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    places
        .zip(needed)
        .map(|(place, needed)| place + needed)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_leave_room() {
        // Two that want the same place stand on either side of it; the third is free.
        assert_eq!(
            apart(&[10.0, 10.0, 90.0], &[20.0, 20.0, 20.0]),
            [0.0, 20.0, 90.0]
        );
        assert_eq!(apart(&[], &[]), [] as [f64; 0]);
    }

    #[test]
    fn arrows_do_not_cross_where_they_need_not() {
        let block = |layer| Block {
            layer,
            width: 10,
            height: 10,
            rows: 2,
        };
        let blocks = [block(0), block(1), block(1), block(2), block(2)];
        let join = |from, row, to| Join { from, row, to };
        let joins = [join(0, 0, 2), join(0, 1, 1), join(1, 0, 3), join(2, 0, 4)];
        assert_eq!(across(&blocks, &[5, 5]), [0, 15, 15, 30, 30]);
        let tops = down(&blocks, &joins, 4, |_, row| 2 * row as i32);
        assert!(tops[2] + 10 < tops[1]);
        assert!(tops[4] + 10 < tops[3]);
    }
}
