//! Random toy programs.

use super::{Cond, Expr, Stmt, Toy};
use elsewise_explore::Random;

/// A random program over two bytes.
pub fn random_program(seed: u64) -> Toy {
    let mut random = Random::new(seed);
    let mut site = 0;
    let body = random_body(&mut random, &mut site, 4);
    Toy::new(&format!("random {seed}"), body, 2)
}

fn random_expr(random: &mut Random, depth: u32) -> Expr {
    let pair = |random: &mut Random| {
        let (a, b) = (
            random_expr(random, depth - 1),
            random_expr(random, depth - 1),
        );
        (Box::new(a), Box::new(b))
    };
    match random.below(if depth == 0 { 4 } else { 7 }) {
        0 | 1 => Expr::Input(random.below(2)),
        2 => Expr::Const(random.number() as u8),
        3 => Expr::Fixed,
        4 => {
            let (a, b) = pair(random);
            Expr::Add(a, b)
        }
        5 => {
            let (a, b) = pair(random);
            Expr::Xor(a, b)
        }
        _ => {
            let (a, b) = pair(random);
            Expr::Mul(a, b)
        }
    }
}

fn random_cond(random: &mut Random) -> Cond {
    let (a, b) = (random_expr(random, 2), random_expr(random, 1));
    match random.below(2) {
        0 => Cond::Less(a, b),
        _ => Cond::Equal(a, b),
    }
}

fn random_body(random: &mut Random, site: &mut u32, depth: u32) -> Vec<Stmt> {
    let mut body = Vec::new();
    if depth == 0 {
        return body;
    }
    for _ in 0..1 + random.below(2) {
        let at = *site;
        *site += 1;
        let stmt = match random.below(10) {
            0 => Stmt::Assume(at, random_cond(random)),
            // Few values, so that brute force and the limit on values agree.
            1 => Stmt::Concrete(
                at,
                Expr::Mul(
                    Box::new(Expr::Input(random.below(2))),
                    Box::new(Expr::Const(64)),
                ),
            ),
            2 => {
                let count = random.below(3);
                let mut cases: Vec<u8> = (0..count).map(|_| random.number() as u8).collect();
                cases.sort_unstable();
                cases.dedup();
                let bodies = (0..=cases.len())
                    .map(|_| random_body(random, site, depth - 1))
                    .collect();
                Stmt::Switch(at, random_expr(random, 1), cases, bodies)
            }
            3 => {
                let bound = Expr::Mul(
                    Box::new(Expr::Input(random.below(2))),
                    Box::new(Expr::Const(64)),
                );
                let few = Cond::Less(
                    Expr::Mul(Box::new(Expr::Fixed), Box::new(Expr::Const(60))),
                    bound,
                );
                Stmt::While(at, few, Vec::new())
            }
            4 => Stmt::Fail(
                if random.below(2) == 0 {
                    "assertion"
                } else {
                    "segv"
                },
                at,
            ),
            _ => {
                let cond = random_cond(random);
                let then = random_body(random, site, depth - 1);
                Stmt::If(at, cond, then, random_body(random, site, depth - 1))
            }
        };
        body.push(stmt);
    }
    body
}
