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

/** Sends a write, and gives the id of the request and what was merged; null when there is nothing to write. */
async function send(
  run: Run,
  by: 0 | 1,
  world: World,
  write: Write,
): Promise<{ requestId: string; merges?: Record<string, string[]> } | null> {
  const api = run.apis[by];
  const [people, companies] = [ofKind(world, "person"), ofKind(world, "company")];
  const own = [...world]
    .flatMap(([id, { kind, author }]) => (kind === "note" && author === run.users[by] ? [id] : []))
    .toSorted();
  const isIn = (id: string) => (world.get(id)?.groups as string[]).length > 0;
  const asked = async (method: "post" | "patch" | "delete", path: string, body?: object) => {
    const { status, headers, body: answer } = await api[method](path, body as never);
    if (status !== 200)
      throw new Error(`${method} ${path} ${JSON.stringify(body)} is ${status}: ${JSON.stringify(answer)}`);
    return { requestId: String(headers["x-request-id"]) };
  };
  switch (write.do) {
    case "create": {
      const records = write.people.map((fields) => bodyOf(fields, world, run, false));
      return records.length === 1
        ? asked("post", "/v1/people", records[0])
        : asked("post", "/v1/people/batch/create", { records });
    }
    case "update": {
      const ids = [...new Set(write.at.flatMap((place) => at(people, place) ?? []))];
      if (ids.length === 0) return null;
      if (ids.length === 1)
        return asked("patch", `/v1/people/${ids[0]}`, bodyOf(write.fields, world, run, isIn(ids[0] as string)));
      const records = ids.map((id) => ({ id, ...bodyOf(write.fields, world, run, isIn(id)) }));
      return asked("post", "/v1/people/batch/update", { records });
    }
    case "delete": {
      const id = at(people, write.at);
      return id ? asked("delete", `/v1/people/${id}`) : null;
    }
    case "merge": {
      const [into, other] = [at(people, write.into), at(people, write.at)];
      if (!into || !other || into === other) return null;
      return {
        ...(await asked("post", `/v1/people/${into}/merge`, { records: [{ id: other }] })),
        merges: { [into]: [other] },
      };
    }
    case "upsert": {
      const found = people.filter((id) => (world.get(id)?.emails as string[]).includes(write.email));
      if (found.length > 1) return null;
      const record = { ...bodyOf(write.fields, world, run, found[0] ? isIn(found[0]) : false), emails: [write.email] };
      return asked("post", "/v1/people/upsert", { match: ["emails"], record });
    }
    case "company":
      return asked("post", "/v1/companies", { name: write.name });
    case "rename": {
      const id = at(companies, write.at);
      const isTaken = companies.some((one) => one !== id && world.get(one)?.name === write.name);
      return id && !isTaken ? asked("patch", `/v1/companies/${id}`, { name: write.name }) : null;
    }
    case "deleteCompany": {
      const id = at(companies, write.at);
      return id ? asked("delete", `/v1/companies/${id}`) : null;
    }
    case "note": {
      const id = at(people, write.at);
      return id ? asked("post", "/v1/notes", { entity: { id }, content: write.content, visibility: "public" }) : null;
    }
    case "changeNote": {
      const id = at(own, write.at);
      return id ? asked("patch", `/v1/notes/${id}`, { content: write.content }) : null;
    }
    case "deleteNote": {
      const id = at(own, write.at);
      return id ? asked("delete", `/v1/notes/${id}`) : null;
    }
    case "transaction": {
      if (process.env.NO_TX) return null;
      const id = at(people, write.at);
      const isTaken = companies.some((one) => world.get(one)?.name === write.name);
      if (!id || isTaken) return null;
      return asked("post", "/v1/transactions", {
        operations: [
          { method: "POST", path: "/v1/companies", body: { name: write.name }, ref: "made" },
          {
            method: "PATCH",
            path: `/v1/people/${id}`,
            body: { ...bodyOf(write.fields, world, run, isIn(id)), companies: [{ id: "$made" }] },
          },
        ],
      });
    }
  }
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
            const [sequence, undoing] = sample;
            const run = await makeRun();
            const model = new Model();
            const done: Done[] = [];
            try {
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
              undone += await takeBack(run, model, done, undoing);
              expect(sorted(await readWorld(run))).toEqual(sorted(model.world));
            } catch (error) {
              throw new Error(`Run ${i}: ${JSON.stringify(sample)}\n${(error as Error).message}`);
            }
          }),
        ),
      );
      expect(undone).toBeGreaterThan(RUNS);
    },
    20 * 60_000,
  );
});

async function takeBack(
  { apis: [api], users }: Run,
  model: Model,
  done: readonly Done[],
  undoing: { mode: "since"; from: number } | { mode: "first"; count: number } | { mode: "user"; by: 0 | 1 },
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
