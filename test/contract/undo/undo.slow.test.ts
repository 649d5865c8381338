import { expect, it } from "@jest/globals";
import fc from "fast-check";
import pLimit from "p-limit";
import type { Client } from "../../support/client.ts";
import { describeServer } from "../../support/scene.ts";
import { copyOf, type Effect, effectsOf, Model, type Thing, type World } from "./model.ts";
import { type Fields, sequences, undoings, type Write } from "./writes.ts";

const RUNS = Number(process.env.UNDO_RUNS ?? 500);
/** Number of runs at once. Most of the time each waits for an answer. */
const TOGETHER = 4;

interface Run {
  apis: [Client, Client];
  users: [string, string];
  groupId: string;
}

type Item = Record<string, unknown> & { id: string };

const idsOf = (list: unknown) => (list as Item[]).map(({ id }) => id);

/** Everything that the writes of the property can change, as answers show it. */
async function readWorld({ apis: [api], groupId }: Run): Promise<World> {
  const [people, companies, notes] = await Promise.all([
    api.all("/v1/people?limit=100"),
    api.all("/v1/companies?limit=100"),
    api.all("/v1/notes?limit=100"),
  ]);
  const world: World = new Map();
  for (const one of people as Item[]) world.set(one.id, person(one, groupId));
  for (const { id, name } of companies as Item[]) world.set(id, { kind: "company", name });
  for (const { id, content, entity, author } of notes as Item[])
    world.set(id, { kind: "note", content, entity: (entity as Item).id, author: (author as Item).id });
  return world;
}

function person({ jobTitle, description, emails, companies, groups, customFieldValues }: Item, groupId: string): Thing {
  const values = (customFieldValues as Record<string, Record<string, unknown>>)[groupId];
  return {
    kind: "person",
    jobTitle,
    description,
    emails,
    companies: idsOf(companies),
    groups: idsOf(groups),
    text: values?.Text ?? null,
  };
}

/** Ids of a kind, in the order of creation. */
const ofKind = (world: World, kind: Thing["kind"]) =>
  [...world].flatMap(([id, thing]) => (thing.kind === kind ? [id] : [])).toSorted();
const at = <One>(list: One[], place: number): One | undefined => list[place % Math.max(1, list.length)];

function bodyOf(
  { inGroup, text, companies, ...fields }: Fields,
  world: World,
  { groupId }: Run,
  isIn: boolean,
): object {
  const known = ofKind(world, "company");
  const links = companies && [...new Set(companies.flatMap((place) => at(known, place) ?? []))].map((id) => ({ id }));
  const isMember = inGroup ?? isIn;
  return {
    ...fields,
    ...(links && { companies: links }),
    ...(inGroup !== undefined && { groups: inGroup ? [{ id: groupId }] : [] }),
    ...(text !== undefined && isMember && { customFieldValues: { [groupId]: { Text: text || null } } }),
  };
}

/** A write that is about to be sent: by whom, and into what. */
interface Sending {
  run: Run;
  by: 0 | 1;
  world: World;
}

interface Sent {
  requestId: string;
  /** The ids of merged records, by survivor. */
  merges?: Record<string, string[]>;
}

/** A request; null when there is nothing to write. */
type Request = [method: "post" | "patch" | "delete", path: string, body?: object] | null;

const listOf = (world: World, id: string, name: "groups" | "emails") => (world.get(id)?.[name] ?? []) as string[];
const isIn = (world: World, id: string) => listOf(world, id, "groups").length > 0;
const isNamed = (world: World, id: string, name: string) => world.get(id)?.name === name;

function ownNotes({ run, by, world }: Sending): string[] {
  return ofKind(world, "note").filter((id) => world.get(id)?.author === run.users[by]);
}

function update({ run, world }: Sending, { at: places, fields }: Extract<Write, { do: "update" }>): Request {
  const people = ofKind(world, "person");
  const ids = [...new Set(places.flatMap((place) => at(people, place) ?? []))];
  const records = ids.map((id) => ({ id, ...bodyOf(fields, world, run, isIn(world, id)) }));
  if (records.length > 1) return ["post", "/v1/people/batch/update", { records }];
  const [one] = records;
  return one ? ["patch", `/v1/people/${one.id}`, { ...one, id: undefined }] : null;
}

function upsert({ run, world }: Sending, { email, fields }: Extract<Write, { do: "upsert" }>): Request {
  const found = ofKind(world, "person").filter((id) => listOf(world, id, "emails").includes(email));
  if (found.length > 1) return null;
  const record = {
    ...bodyOf(fields, world, run, found[0] !== undefined && isIn(world, found[0])),
    emails: [email],
  };
  return ["post", "/v1/people/upsert", { match: ["emails"], record }];
}

function transaction({ run, world }: Sending, write: Extract<Write, { do: "transaction" }>): Request {
  const id = at(ofKind(world, "person"), write.at);
  const isTaken = ofKind(world, "company").some((one) => isNamed(world, one, write.name));
  if (!id || isTaken) return null;
  const body = { ...bodyOf(write.fields, world, run, isIn(world, id)), companies: [{ id: "$made" }] };
  return [
    "post",
    "/v1/transactions",
    {
      operations: [
        { method: "POST", path: "/v1/companies", body: { name: write.name }, ref: "made" },
        { method: "PATCH", path: `/v1/people/${id}`, body },
      ],
    },
  ];
}

function merge({ world }: Sending, { into, at: place }: Extract<Write, { do: "merge" }>): Request {
  const people = ofKind(world, "person");
  const [survivor, other] = [at(people, into), at(people, place)];
  if (!survivor || !other || survivor === other) return null;
  return ["post", `/v1/people/${survivor}/merge`, { records: [{ id: other }] }];
}

function rename({ world }: Sending, { at: place, name }: Extract<Write, { do: "rename" }>): Request {
  const companies = ofKind(world, "company");
  const id = at(companies, place);
  const isTaken = companies.some((one) => one !== id && isNamed(world, one, name));
  return id && !isTaken ? ["patch", `/v1/companies/${id}`, { name }] : null;
}

/** The requests of writes. */
const REQUESTS: { [Name in Write["do"]]: (sending: Sending, write: Extract<Write, { do: Name }>) => Request } = {
  create: ({ run, world }, { people }) => {
    const records = people.map((fields) => bodyOf(fields, world, run, false));
    return records.length === 1 ? ["post", "/v1/people", records[0]] : ["post", "/v1/people/batch/create", { records }];
  },
  update,
  delete: ({ world }, write) => onThat("delete", "/v1/people", at(ofKind(world, "person"), write.at)),
  merge,
  upsert,
  company: (_, { name }) => ["post", "/v1/companies", { name }],
  rename,
  deleteCompany: ({ world }, write) => onThat("delete", "/v1/companies", at(ofKind(world, "company"), write.at)),
  note: ({ world }, { at: place, content }) => {
    const id = at(ofKind(world, "person"), place);
    return id ? ["post", "/v1/notes", { entity: { id }, content, visibility: "public" }] : null;
  },
  changeNote: (sending, { at: place, content }) =>
    onThat("patch", "/v1/notes", at(ownNotes(sending), place), { content }),
  deleteNote: (sending, write) => onThat("delete", "/v1/notes", at(ownNotes(sending), write.at)),
  transaction,
};

function onThat(method: "patch" | "delete", path: string, id: string | undefined, body?: object): Request {
  return id ? [method, `${path}/${id}`, body] : null;
}

/** Sends a write, and gives the id of the request and what was merged; null when there is nothing to write. */
async function send(run: Run, by: 0 | 1, world: World, write: Write): Promise<Sent | null> {
  const request = REQUESTS[write.do]({ run, by, world }, write as never);
  if (!request) return null;
  const [method, path, sent] = request;
  const { status, headers, body } = await run.apis[by][method](path, sent as never);
  if (status !== 200)
    throw new Error(`${method} ${path} ${JSON.stringify(sent)} is ${status}: ${JSON.stringify(body)}`);
  const into = write.do === "merge" ? path.split("/")[3] : undefined;
  const merged = (sent as { records?: Item[] } | undefined)?.records ?? [];
  return {
    requestId: String(headers["x-request-id"]),
    ...(into !== undefined && { merges: { [into]: merged.map(({ id }) => id) } }),
  };
}

interface Done {
  requestId: string;
  since: string;
  effects: Effect[];
}

/** A time that lies behind all that was written. */
async function later(): Promise<string> {
  const now = Date.now();
  while (Date.now() <= now + 1) await new Promise((resolve) => setTimeout(resolve, 1));
  return new Date().toISOString();
}

describeServer("An undo (docs/guides/history-and-undo.md#undo)", (scene) => {
  async function makeRun(): Promise<Run> {
    const workspace = await scene.workspace();
    const bob = await workspace.user("Bob Stone");
    const group = await workspace.group(workspace.ada, { visibility: "public" });
    const api = scene.api(workspace.ada);
    await api.post(`/v1/groups/${group.id}/custom-fields/person`, { type: "textField", name: "Text" });
    return { apis: [api, scene.api(bob)], users: [workspace.ada.id, bob.id], groupId: group.id };
  }

  it(
    `leaves what an in-memory model says, in ${RUNS} runs of up to 40 writes of two users`,
    async () => {
      const limit = pLimit(TOGETHER);
      const samples = fc.sample(fc.tuple(sequences, undoings), {
        numRuns: RUNS,
        seed: Number(process.env.UNDO_SEED ?? 20261129),
      });
      let undone = 0;
      await Promise.all(
        samples.map((sample, i) =>
          limit(async () => {
            const told = (error: Error) => {
              throw new Error(`Run ${i}: ${JSON.stringify(sample)}\n${error.message}`);
            };
            const taken = await tryOne(await makeRun(), ...sample).catch(told);
            undone += taken;
          }),
        ),
      );
      expect(undone).toBeGreaterThan(RUNS);
    },
    20 * 60_000,
  );
});

/** Sends the writes, takes some back, and compares what is there with the model. Gives how many were taken back. */
async function tryOne(run: Run, sequence: { by: 0 | 1; write: Write }[], undoing: UndoOf): Promise<number> {
  const model = new Model();
  const done: Done[] = [];
  for (const { by, write } of sequence) {
    const before = await readWorld(run);
    const since = await later();
    const sent = await send(run, by, before, write);
    if (!sent) continue;
    const after = await readWorld(run);
    const effects = effectsOf(run.users[by], before, after, sent);
    model.note(after, effects);
    done.push({ requestId: sent.requestId, since, effects });
  }
  await later();
  const undone = await takeBack(run, model, done, undoing);
  expect(sorted(await readWorld(run))).toEqual(sorted(model.world));
  return undone;
}

type UndoOf = { mode: "since"; from: number } | { mode: "first"; count: number } | { mode: "user"; by: 0 | 1 };

async function takeBack(
  { apis: [api], users }: Run,
  model: Model,
  done: readonly Done[],
  undoing: UndoOf,
): Promise<number> {
  const undo = async (body: object) => {
    const { status, body: answer } = await api.post("/v1/undo", body);
    if (status !== 200) throw new Error(`The undo of ${JSON.stringify(body)} is ${status}: ${JSON.stringify(answer)}`);
    return (answer as { data: { undone: number } }).data.undone;
  };
  if (done.length === 0) return 0;
  if (undoing.mode === "since") {
    const taken = done.slice(undoing.from % done.length);
    model.undo(taken.flatMap(({ effects }) => effects));
    return undo({ since: taken[0]?.since, source: "api" });
  }
  if (undoing.mode === "user") {
    model.undo(model.effects.filter(({ user }) => user === users[undoing.by]));
    return undo({ since: done[0]?.since, userId: users[undoing.by] });
  }
  let count = 0;
  for (const { requestId, effects } of done.slice(0, (undoing.count % done.length) + 1).toReversed()) {
    model.undo(effects);
    count += await undo({ requestId });
  }
  return count;
}

function sorted(world: World): [string, Thing][] {
  return [...copyOf(world)].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
