// Lines with branches, as the server tells them: which is coloured how, and what is said about it.

export type SideState = "reached" | "unreachable" | "open";
export type LineState = "both" | "one" | "unreachable" | "open";

export interface Side {
  name: string;
  state: SideState;
  why: string;
}

export interface BranchLine {
  line: number;
  state: LineState;
  places: { column: number; sides: Side[] }[];
}

export interface Branches {
  lines: BranchLine[];
  campaigns: string[];
}

export const STATES: readonly LineState[] = ["both", "one", "unreachable", "open"];

/** Lines by how they stand; what the server says that is not known here is left out. */
export function byState(lines: BranchLine[], count: number): Map<LineState, BranchLine[]> {
  const found = new Map<LineState, BranchLine[]>(STATES.map((state) => [state, []]));
  for (const line of lines) {
    if (Number.isInteger(line.line) && line.line >= 0 && line.line < count) {
      found.get(line.state)?.push(line);
    }
  }
  return found;
}

/** What stands behind a line: the sides that no run took. Nothing where all were taken. */
export function words(line: BranchLine): string {
  const missed = line.places.flatMap((place) => place.sides).filter((side) => side.state !== "reached");
  const shown = missed.slice(0, 3).map((side) => `${side.name}: ${side.state}`);
  return shown.join(", ") + (missed.length > shown.length ? ", …" : "");
}
