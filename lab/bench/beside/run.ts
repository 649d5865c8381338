import { join } from "node:path";
import { ROOT } from "../../harness/server-process.ts";
import { measure } from "../against/measure.ts";
import type { Operation } from "../against/operation.ts";
import { pagesOf } from "../against/pages.ts";
import { type Asked, askedOf } from "../against/prepare.ts";
import type { How, Measured } from "../against/run.ts";
import { type Contents, contentsOf, vacuum } from "../against/seed.ts";
import { openSide, type Served, type Side } from "../against/side.ts";
import { failuresOf } from "../against/table.ts";
import { bareGo, bareNode, buildGo } from "./floor/floors.ts";
import { checkAnswers, knownRows, knownTexts, storePeople, writeKnown } from "./floor/stored.ts";
import { piecesOf } from "./pieces.ts";
import { installPostgrest, type Postgrest, postgrest } from "./postgrest.ts";
import { type Floor, report } from "./report.ts";
import { BATCH_CREATE, type BesideRow, FLOOR_ROWS, type Place, rowsOf } from "./rows.ts";
import { fillTables, newDatabase } from "./tables.ts";

interface Beside extends How {
  floor: boolean;
}

/** Pages that are asked for from the first one on, and from the middle of the list on. */
const PAGES = 20;
const PAGE = 100;

/** Measures this checkout beside PostgREST on the same records, and beside bare servers. */
export async function runBeside(how: Beside): Promise<Measured> {
  const { people, rounds, starts, load, note, only } = how;
  // A missing program ends the run here, before a database is filled.
  const program = installPostgrest(join(how.data, "postgrest"));
  const go = how.floor ? buildGo(join(how.data, "go")) : undefined;
  const own = await how.keep(() => openSide("this", ROOT, join(how.data, "beside")));
  const contents = await contentsOf(own, people, note, "native");
  await vacuum(own);
  const places = await placesOf(own, contents);
  const rows = rowsOf(contents, places.first, places.deep).filter(({ name }) => only.test(name));
  const floors = go === undefined ? [] : await measureFloors(own, contents, rows, go, how);
  const peer = await openPeer(own, contents, program, how);
  const other = await ask(
    peer,
    peer.key,
    rows.map((row) => ({ ...row, requests: row.peer })),
    how,
  );
  const asked = await ask(
    own,
    contents.key,
    rows.map((row) => ({ ...row, requests: row.own })),
    how,
  );
  const { rows: measured, memory } = await measure([other, asked], how);
  const create = rows.find(({ name }) => name === BATCH_CREATE);
  const pieces = create && (await piecesOf({ own, peer, key: contents.key, row: create }, how));
  const kinds = new Map(rows.map(({ name, kind }) => [name, kind]));
  const results = { rows: measured, kinds, memory, floors, pieces, people, rounds, starts, load };
  const failures = failuresOf([...floors.flatMap((floor) => floor.rows), ...measured]);
  return { failures, section: report(results) };
}

/** Places of pages at the begin of the list and in the middle of it. */
async function placesOf(own: Side, { key, sizes }: Contents): Promise<{ first: Place[]; deep: Place[] }> {
  const server = await own.serve();
  try {
    const places: Place[] = [];
    const middle = Math.floor(sizes.people / PAGE / 2);
    let after: string | undefined;
    for await (const { path, items } of pagesOf<{ id: string }>({ port: server.port, key })) {
      places.push({ path, after });
      after = items.at(-1)?.id;
      if (places.length >= middle + PAGES) break;
    }
    return { first: places.slice(0, PAGES), deep: places.slice(middle) };
  } finally {
    await server.stop();
  }
}

async function openPeer(own: Side, contents: Contents, program: string, { keep, note }: How): Promise<Postgrest> {
  const url = await newDatabase(own.url, "postgrest");
  await fillTables(url, contents);
  note("PostgREST: the tables are filled");
  return kept(postgrest(program, url, own.postmaster), keep);
}

/** Measures this server beside each of the bare ones, which need the records as they are before the writes. */
async function measureFloors(own: Side, { key }: Contents, all: BesideRow[], go: string, how: How): Promise<Floor[]> {
  const { data, keep, note } = how;
  const rows = all.filter(({ name }) => FLOOR_ROWS.includes(name));
  if (rows.length === 0) return [];
  const operations = rows.map((row) => ({ ...row, requests: row.own }));
  const url = await newDatabase(own.url, "floor");
  const asked = await askedOf(own, key, note, async (port) => {
    await storePeople({ port, key }, url);
    return operations;
  });
  const known = await knownRows(own, key, rows);
  const texts = writeKnown(join(data, "texts.json"), knownTexts(known, rows));
  const { postmaster } = own;
  const floors: Floor[] = [];
  for (const bare of [
    bareNode({ name: "Node, rows", url: own.url, postmaster, known: writeKnown(join(data, "rows.json"), known) }),
    bareNode({ name: "Node, texts", url, postmaster, known: texts }),
    bareGo(go, { name: "Go, texts", url, postmaster, known: texts }),
  ]) {
    const other = await askedOf(kept(bare, keep), key, note, async (port) => {
      await checkAnswers(port, known);
      return operations;
    });
    floors.push({ name: bare.name, rows: (await measure([other, asked], how)).rows });
  }
  return floors;
}

function ask(side: Served, key: string, operations: Operation[], { note }: How): Promise<Asked> {
  return askedOf(side, key, note, async () => operations);
}

/** A side whose servers are stopped when the run is interrupted. */
function kept<Side extends Served>(side: Side, keep: How["keep"]): Side {
  return { ...side, serve: (url) => keep(() => side.serve(url)) };
}
