/**
 * Measures what it costs to make the deliveries of webhooks from the log, for one busy workspace and for several side
 * by side; `docs/decisions/0013-events.md` rests on it.
 *
 *   node_modules/.bin/node lab/bench/publishing.ts [--events 10000] [--rounds 3] [--webhooks 10000] [--workspaces 8]
 *   [--rests 0,5,10,20,50] [--seconds 4] [--rate 200]
 *
 * Starts a PostgreSQL of its own and prints markdown. Times wander on a shared machine: the ratios of one run tell.
 */
import { openDatabase } from "../../database/database.ts";
import { readOptions } from "../../scripts/options.ts";
import { startPostgres } from "../harness/postgres.ts";
import { measurePace, paceTable } from "./publishing/pace.ts";
import { addWorkspaces } from "./publishing/stock.ts";
import { measureThroughput, throughputTable } from "./publishing/throughput.ts";

const options = readOptions("node lab/bench/publishing.ts", {
  events: { type: "string", default: "10000" },
  rounds: { type: "string", default: "3" },
  webhooks: { type: "string", default: "10000" },
  workspaces: { type: "string", default: "8" },
  rests: { type: "string", default: "0,5,10,20,50" },
  seconds: { type: "string", default: "4" },
  rate: { type: "string", default: "200" },
});

const postgres = await startPostgres({ durable: true });
try {
  const database = await openDatabase(postgres.url);
  const bench = { database, postmaster: postgres.pid() };
  const add = (count: number, others: number, wanting: number) => addWorkspaces(database, count, { others, wanting });
  try {
    const [others, several] = [Number(options.webhooks), Number(options.workspaces)];
    const cases = [
      { name: "one, which wants none", workspaces: await add(1, 1, 0) },
      { name: "one, which wants all", workspaces: await add(1, 0, 1) },
      { name: "the same", workspaces: await add(several, 0, 1) },
      { name: "two, which want all", workspaces: await add(1, 0, 2) },
      { name: "the same", workspaces: await add(several, 0, 2) },
      { name: `${others}, of which two want all`, workspaces: await add(1, others, 2) },
    ];
    const scale = { events: Number(options.events), rounds: Number(options.rounds) };
    console.log(throughputTable(await measureThroughput(bench, cases, scale)));
    const pace = { perSecond: Number(options.rate), seconds: Number(options.seconds) };
    const rests = options.rests.split(",").map(Number);
    for (const workspaces of [await add(1, 0, 1), await add(several, 0, 1)])
      console.log(paceTable(workspaces.length, await measurePace(bench, workspaces, rests, pace)));
  } finally {
    await database.close();
  }
} finally {
  await postgres.stop();
}
