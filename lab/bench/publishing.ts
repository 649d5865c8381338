/**
 * Measures what it costs to pass events on from the outbox, to events and to deliveries of webhooks;
 * `docs/decisions/0013-events.md` rests on it.
 *
 *   node_modules/.bin/node lab/bench/publishing.ts [--events 10000] [--rounds 3] [--webhooks 10000] [--rests
 *   0,5,10,20,50] [--seconds 4] [--rate 200]
 *
 * Starts a PostgreSQL of its own and prints markdown. Times wander on a shared machine: the ratios of one run tell.
 */
import { openDatabase } from "../../database/database.ts";
import { readOptions } from "../../scripts/options.ts";
import { startPostgres } from "../harness/postgres.ts";
import { measurePace, paceTable } from "./publishing/pace.ts";
import { addWorkspace } from "./publishing/stock.ts";
import { measureThroughput, throughputTable } from "./publishing/throughput.ts";

const options = readOptions("node lab/bench/publishing.ts", {
  events: { type: "string", default: "10000" },
  rounds: { type: "string", default: "3" },
  webhooks: { type: "string", default: "10000" },
  rests: { type: "string", default: "0,5,10,20,50" },
  seconds: { type: "string", default: "4" },
  rate: { type: "string", default: "200" },
});

const postgres = await startPostgres({ durable: true });
try {
  const database = await openDatabase(postgres.url);
  const bench = { database, postmaster: postgres.pid() };
  try {
    const others = Number(options.webhooks);
    const cases = [
      { name: "no webhook", workspace: await addWorkspace(database, { others: 0, wanting: 0 }) },
      { name: "one, which wants none", workspace: await addWorkspace(database, { others: 1, wanting: 0 }) },
      { name: "one, which wants all", workspace: await addWorkspace(database, { others: 0, wanting: 1 }) },
      { name: "two, which want all", workspace: await addWorkspace(database, { others: 0, wanting: 2 }) },
      { name: `${others}, of which two want all`, workspace: await addWorkspace(database, { others, wanting: 2 }) },
    ];
    const scale = { events: Number(options.events), rounds: Number(options.rounds) };
    console.log(throughputTable(await measureThroughput(bench, cases, scale)));
    const pace = { perSecond: Number(options.rate), seconds: Number(options.seconds) };
    const rests = options.rests.split(",").map(Number);
    console.log(
      paceTable(await measurePace(bench, await addWorkspace(database, { others: 0, wanting: 1 }), rests, pace)),
    );
  } finally {
    await database.close();
  }
} finally {
  await postgres.stop();
}
