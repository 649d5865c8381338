import { expect, it } from "@jest/globals";
import { NOBODY, tortureNeighbours } from "../../../lab/torture/neighbours/program.ts";

// The small version of `npm run torture -- neighbours`: what does not depend on how fast the machine is. Whoever
// attacks, the server lives, gives back what it held, and answers the others with nothing but 200 or, while it is busy,
// 503.
const BOUNDS = { p99Ms: 12_000, turnMs: 60_000, memoryMb: 1_500, livezMs: 10_000, restMs: 30_000 };
const ATTACKS = [
  "accents in a search",
  "stalled uploads",
  "a thousand unknown members",
  "a large record a hundred times in a batch",
  "lists that nobody reads",
];
const TEST_MS = 480_000;

it(
  "beside the worst of attacks the server lives and answers the others, and holds nothing afterwards (docs/torture.md#neighbours-answers-for-all-others)",
  async () => {
    const { broken, history } = await tortureNeighbours({
      seconds: 2,
      attacks: ATTACKS,
      perSecond: 2,
      bounds: BOUNDS,
      note: () => undefined,
    });
    // A machine that also runs other tests may be too slow for all of them at once.
    expect(broken.filter(({ promise }) => promise !== "nobody else is refused")).toEqual([]);
    expect([...new Set(history.phases.map(({ name }) => name))]).toEqual([NOBODY, ...ATTACKS]);
    for (const { victims } of history.phases)
      expect(victims.filter(({ status }) => status === 200)).not.toHaveLength(0);
  },
  TEST_MS,
);
