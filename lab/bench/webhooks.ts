/**
 * Measures how long events take to their receiver, from the moment in which the write that makes one is sent, and what
 * they cost: alone, beside an endpoint that hangs and one with a long backlog, and with many other webhooks in the
 * workspace.
 *
 *   node_modules/.bin/node lab/bench/webhooks.ts [--rate 200] [--seconds 10] [--rounds 3] [--backlog 100000]
 *   [--webhooks 10000]
 *
 * Starts a PostgreSQL, the server and a receiver of its own, and prints markdown. Cases take turns. Times wander on a
 * shared machine: the ratios of one run tell.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOptions } from "../../scripts/options.ts";
import { RECEIVER_HOST } from "../harness/webhook-receiver.ts";
import { type Measured, measure, type Stage, table } from "./webhooks/measure.ts";
import { openStage } from "./webhooks/stage.ts";

const options = readOptions("node lab/bench/webhooks.ts", {
  rate: { type: "string", default: "200" },
  seconds: { type: "string", default: "10" },
  rounds: { type: "string", default: "3" },
  backlog: { type: "string", default: "100000" },
  webhooks: { type: "string", default: "10000" },
});
const [perSecond, seconds, rounds, backlog, others] = [
  options.rate,
  options.seconds,
  options.rounds,
  options.backlog,
  options.webhooks,
].map(Number) as [number, number, number, number, number];

process.env.WEBHOOK_ALLOW = `${RECEIVER_HOST}/32`;
const folder = mkdtempSync(join(tmpdir(), "bench-webhooks-"));
const stage = await openStage(folder);
try {
  const cases = casesOf(stage);
  await cases[0]?.[1](2);
  const rows = new Map<string, Measured[]>(cases.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, run] of cases) {
      rows.get(name)?.push(await run(seconds));
      console.error(`round ${round + 1}: ${name}`);
    }
  console.log(table(rows, { perSecond, seconds, rounds }));
} finally {
  await stage.stop();
  rmSync(folder, { recursive: true, force: true });
}

type Case = [name: string, run: (seconds: number) => Promise<Measured>];

function casesOf(all: Stage): Case[] {
  const { plain, crowded } = all.workspaces;
  const run = (of: typeof plain, length: number) => measure(all, of, { perSecond, seconds: length });
  return [
    ["two webhooks", (length) => run(plain, length)],
    [
      "beside one that hangs",
      async (length) => {
        const drop = await all.hang(plain);
        const measured = await run(plain, length);
        await drop();
        return measured;
      },
    ],
    [
      `beside one with ${backlog} pending`,
      async (length) => {
        const drop = await all.pile(plain, backlog);
        const measured = await run(plain, length);
        await drop();
        return measured;
      },
    ],
    [
      `beside ${others} others`,
      async (length) => {
        await all.crowd(crowded, others);
        return run(crowded, length);
      },
    ],
  ];
}
