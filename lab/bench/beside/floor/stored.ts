import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { uuidOf } from "../../../../base/values/ids.ts";
import type { Access } from "../../../harness/api.ts";
import { recordingProxy, type Sent } from "../../against/messages.ts";
import { pagesOf } from "../../against/pages.ts";
import type { Side } from "../../against/side.ts";
import type { BesideRow } from "../rows.ts";
import { withClient } from "../tables.ts";

/** The way in which a bare server answers a path. */
interface Way {
  /** Statements, one after another. */
  steps: Sent[];
  /** The whole body; without one it is `head`, the texts of the rows of the last statement with commas, and `tail`. */
  body?: string;
  head: string;
  tail: string;
}

/** Content of a bare server's file: head lines that Node and Go do not send by themselves, and ways, by path. */
export interface Known {
  headers: Record<string, string>;
  ways: Record<string, Way>;
}

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";
const ROWS_AT_ONCE = 2000;
/** A bare server sends these by itself, with its own values. */
const OWN_HEADERS = ["connection", "content-length", "date", "keep-alive"];
const ONE = "select body from people where id = $1";
const PAGE = "select body from people where id > $1 order by id limit 20";
/** Number of times that each request is sent. A statement that does not come each time is work in the background. */
const ASKED = 3;
const SETTLE_MS = 8;

/** Asks this server for each path: the head of its answers, their bodies, and the statements that it runs for them. */
export async function knownRows(own: Side, key: string, rows: BesideRow[]): Promise<Known> {
  const proxy = await recordingProxy(own.url);
  const server = await own.serve(proxy.url);
  const known: Known = { headers: {}, ways: {} };
  try {
    for (const { path } of rows.flatMap((row) => row.own)) {
      const runs: Sent[][] = [];
      for (let i = 0; i < ASKED; i++) {
        proxy.take();
        const { headers, body } = await ask({ port: server.port, key }, path);
        await pause(SETTLE_MS);
        runs.push(proxy.take());
        known.headers = headers;
        known.ways[path] = { steps: [], body, head: "", tail: "" };
      }
      const inAll = ({ text }: Sent): boolean => runs.every((run) => run.some((other) => other.text === text));
      known.ways[path]?.steps.push(...(runs.at(-1) ?? []).filter(inAll));
      if (known.ways[path]?.steps.length === 0) throw new Error(`No statement was seen for ${path}`);
    }
  } finally {
    await server.stop();
    await proxy.stop();
  }
  return known;
}

/** The same answers, made of the texts that `storePeople` has written. */
export function knownTexts({ headers, ways }: Known, rows: BesideRow[]): Known {
  const entries = rows.flatMap(({ own, places }) =>
    own.map(({ path }, i): [string, Way] => {
      if (!places)
        return [
          path,
          { steps: [{ text: ONE, values: [path.slice(-BEFORE_ALL.length)] }], head: '{"data":', tail: "}" },
        ];
      const after = uuidOf("person", places[i]?.after ?? "") ?? BEFORE_ALL;
      const pagination = JSON.stringify(JSON.parse(ways[path]?.body ?? "").data.pagination);
      const tail = `],"pagination":${pagination}}}`;
      return [path, { steps: [{ text: PAGE, values: [after] }], head: '{"data":{"items":[', tail }];
    }),
  );
  return { headers, ways: Object.fromEntries(entries) };
}

/** Writes the texts of all people into an empty database, each as it stands in an answer. */
export async function storePeople(at: Access, url: string): Promise<void> {
  await withClient(url, async (client) => {
    // Bare servers plan their statements once, as this server does.
    await client.query(`alter database ${client.database} set plan_cache_mode = force_generic_plan`);
    await client.query("create table people (id uuid primary key, body text not null)");
    let rows: { id: string | null; body: string }[] = [];
    const write = async () => {
      const sql = "insert into people select * from json_populate_recordset(null::people, $1)";
      await client.query(sql, [JSON.stringify(rows)]);
      rows = [];
    };
    for await (const { items } of pagesOf<{ id: string }>(at)) {
      rows.push(...items.map((item) => ({ id: uuidOf("person", item.id), body: JSON.stringify(item) })));
      if (rows.length >= ROWS_AT_ONCE) await write();
    }
    await write();
    await client.query("vacuum analyze");
  });
}

/** Writes the file that a bare server reads and gives its name. */
export function writeKnown(file: string, known: Known): string {
  writeFileSync(file, JSON.stringify(known));
  return file;
}

/** @throws Error when a bare server answers any of the paths otherwise than this server did */
export async function checkAnswers(port: number, { ways }: Known): Promise<void> {
  for (const [path, { body }] of Object.entries(ways)) {
    const answer = await ask({ port, key: "" }, path);
    if (answer.body !== body) throw new Error(`A bare server answers ${path} with ${answer.body} in place of ${body}`);
  }
}

async function ask({ port, key }: Access, path: string): Promise<{ headers: Record<string, string>; body: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !OWN_HEADERS.includes(name)));
  return { headers, body: await response.text() };
}
