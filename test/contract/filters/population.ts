import { jest } from "@jest/globals";
import fc from "fast-check";
import type { TestGroup, TestUser, TestWorkspace } from "../../../lab/harness/world.ts";
import type { CustomFieldTypeName } from "../../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../../model/custom-fields/index.ts";
import { companies } from "../../../model/resources/companies.ts";
import { objects } from "../../../model/resources/objects.ts";
import { people } from "../../../model/resources/people.ts";
import type { RecordType } from "../../../model/resources/record-type.ts";
import type { Client, Item } from "../../support/client.ts";
import type { Scene } from "../../support/scene.ts";
import type { Aliases } from "./oracle.ts";
import { CUSTOM_VALUES, nativeValue, type Pools } from "./values.ts";

/** The data of a run: the same for the same seed, but for ids. FILTER_SEED repeats a run. */
export const SEED = Number(process.env.FILTER_SEED ?? Math.floor(Math.random() * 2 ** 31));

export const TYPES = Object.keys(customFieldTypes) as CustomFieldTypeName[];
/** Names of custom fields are free text. */
export const nameOf = (type: CustomFieldTypeName): string => `${type} [a][b].c/d é "%_`;
/** Labels of the options of selects, in their order. */
export const LABELS = ["Lead", "lead", "élève", "O'Neil", "50% [x]", "Gone", "Also gone"];
const REMOVED_LABELS = ["Gone", "Also gone"];
const COUNTS = { companies: 70, people: 110, objects: 70 };
const DAY_MS = 86_400_000;

/** Records with values in every field that can be filtered, in groups that not everybody sees. */
export interface Population {
  workspace: TestWorkspace;
  /** Sees the club, not the vault. */
  bob: TestUser;
  /** A user whom records still name, and who is none any more. */
  gone: TestUser;
  club: TestGroup;
  vault: TestGroup;
  ids: Record<"people" | "companies" | "objects", string[]>;
  aliases: Aliases;
}

export const pathOf = (kind: keyof Population["ids"], { club }: Pick<Population, "club">): string =>
  kind === "objects" ? `/v1/groups/${club.id}/Deals` : `/v1/${kind}`;

/** Makes the records, then takes away some of what they name: options, a user, deleted and merged records. */
export async function populate(scene: Scene): Promise<Population> {
  const workspace = await scene.workspace();
  const { ada, user, group } = workspace;
  const bob = await user("Bob Stone");
  const gone = await user("Gone Early", "admin");
  const club = await group(ada, {
    name: "Club",
    members: [
      [bob, "contributor"],
      [gone, "contributor"],
    ],
  });
  const vault = await group(ada, { name: "Vault", members: [[gone, "contributor"]] });
  await defineFields(workspace, [club, vault]);
  const population = { workspace, bob, gone, club, vault, aliases: new Map() };
  const apis = [ada, bob, gone].map((by) => scene.api(by));
  const ids = {
    companies: await make(apis, pathOf("companies", population), natives(companies), COUNTS.companies, 0, [
      club,
      vault,
    ]),
    people: await make(apis, pathOf("people", population), natives(people), COUNTS.people, 2, [club, vault]),
    objects: await make(apis, pathOf("objects", population), natives(objects), COUNTS.objects, 4, []),
  };
  const made = { ...population, ids };
  await relate(scene.api(ada), made);
  await takeAway(scene, made);
  return made;
}

async function defineFields({ ada, field }: TestWorkspace, groups: TestGroup[]): Promise<void> {
  for (const group of groups) {
    await field(ada, group, "person", { type: "objectField", name: "Deals" });
    for (const entity of ["person", "company", ...(group.name === "Club" ? ["Deals"] : [])])
      for (const type of TYPES) await field(ada, group, entity, definitionOf(type));
  }
}

function definitionOf(type: CustomFieldTypeName): object {
  const { hasOptions } = customFieldTypes[type];
  return { type, name: nameOf(type), ...(hasOptions && { options: LABELS.map((label) => ({ label })) }) };
}

/** Native values of records; each field is left out now and then. */
function natives(resource: RecordType): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(resource.fields).flatMap(([name, field]) => {
    const value = nativeValue(field);
    return value ? [[name, value] as const] : [];
  });
  const requiredKeys = fields.map(([name]) => name).filter((name) => resource.fields[name]?.required);
  return fc.record(Object.fromEntries(fields), { requiredKeys });
}

/**
 * In four batches, at the edges of three days, by several users. The clock of ids only goes forward, so each kind of
 * record has days of its own. Names are unique where they must be.
 */
async function make(
  apis: Client[],
  path: string,
  records: fc.Arbitrary<Record<string, unknown>>,
  count: number,
  daysOn: number,
  groups: TestGroup[],
): Promise<string[]> {
  const sent = fc.sample(records, { seed: SEED, numRuns: count });
  const tomorrow = (Math.ceil(Date.now() / DAY_MS) + daysOn) * DAY_MS;
  const moments = [null, tomorrow, tomorrow + DAY_MS - 1, tomorrow + DAY_MS];
  const ids: string[] = [];
  for (const [i, moment] of moments.entries()) {
    const from = Math.floor((count * i) / moments.length);
    const batch = sent.slice(from, Math.floor((count * (i + 1)) / moments.length)).map((record, j) => ({
      ...record,
      ...("name" in record && { name: `${String(record.name)} ${from + j}` }),
      // Only those who see both groups may choose; the others are put into theirs.
      ...(groups.length > 0 && {
        groups: groups.filter((_, g) => (from + j) % (g + 2) !== 0).map(({ id }) => ({ id })),
      }),
    }));
    ids.push(...(await at(moment, () => create(apis[[0, 2, 1, 0][i] ?? 0], path, batch))));
  }
  return ids;
}

async function create(api: Client | undefined, path: string, records: object[]): Promise<string[]> {
  const answer = await api?.post(`${path}/batch/create`, { records });
  return resultsOf(answer?.data).map(({ id }) => id);
}

/** Ids are made of the time, and createdAt is in them. */
async function at<Result>(moment: number | null, work: () => Promise<Result>): Promise<Result> {
  const clock = moment === null ? undefined : jest.spyOn(Date, "now").mockReturnValue(moment);
  try {
    return await work();
  } finally {
    clock?.mockRestore();
  }
}

function resultsOf(data: unknown): Item[] {
  const { results } = data as { results: { status: string; data?: Item }[] };
  return results.map((entry) => {
    if (entry.data === undefined) throw new Error(`seed ${SEED}: ${JSON.stringify(entry)}`);
    return entry.data;
  });
}

/** Links and custom values, which need the records that they name. */
async function relate(api: Client, { ids, workspace, bob, gone, club, vault }: Omit<Population, "aliases">) {
  const hidden = await create(
    api,
    `/v1/groups/${vault.id}/Deals`,
    ["Secret", "Safe", "Locked", "Buried"].map((name) => ({ name })),
  );
  const [inClub, inVault] = [ids.objects, hidden].map((list) =>
    valuesOf({
      labels: LABELS,
      users: [workspace.ada, bob, gone].map(({ id }) => ({ id })),
      contacts: [...refs(ids.people, 6), ...refs(ids.companies, 4)],
      objects: refs(list, 8),
    }),
  );
  if (!inClub || !inVault) throw new Error("unreachable");
  const values = { [club.id]: inClub, [vault.id]: inVault };
  const update = async (kind: "people" | "companies", links: fc.Arbitrary<object>) => {
    const current = await api.all(`/v1/${kind}?limit=100`);
    const sent = current.map(({ groups }) => {
      const own = (groups as { id: string }[]).flatMap(({ id }) => (values[id] ? [[id, values[id]]] : []));
      return fc.tuple(links, fc.record(Object.fromEntries(own)));
    });
    await updateAll(api, `/v1/${kind}`, current, sent);
  };
  await update("companies", fc.constant({}));
  await update("people", fc.record({ companies: links(ids.companies) }));
  const members = async (kind: "people" | "companies") =>
    (await api.all(`/v1/${kind}?limit=100`))
      .filter(({ groups }) => (groups as { id: string }[]).some(({ id }) => id === club.id))
      .map(({ id }) => id);
  const related = { people: links(await members("people")), companies: links(await members("companies")) };
  const deals = ids.objects.map((id) => ({ id }));
  const one = fc.tuple(fc.record(related), inClub);
  await updateAll(api, `/v1/groups/${club.id}/Deals`, deals, Array(deals.length).fill(one));
}

const refs = (list: string[], count: number) => list.slice(0, count).map((id) => ({ id }));
/** Few of few, so that equal sets meet. */
const links = (list: string[]) =>
  fc.oneof(fc.subarray(refs(list, 5), { maxLength: 3 }), fc.constant(refs(list, 2)), fc.constant(refs(list, 3)));

function valuesOf(pools: Pools): fc.Arbitrary<object> {
  const values = TYPES.map((type) => [nameOf(type), CUSTOM_VALUES[type](pools)] as const);
  return fc.record(Object.fromEntries(values), { requiredKeys: [] });
}

async function updateAll(api: Client, path: string, current: { id: string }[], sent: fc.Arbitrary<[object, object]>[]) {
  const samples = sent.flatMap((one, i) => fc.sample(one, { seed: SEED + i, numRuns: 1 }));
  const records = samples.map(([native, customFieldValues], i) => ({
    id: current[i]?.id,
    ...native,
    customFieldValues,
  }));
  for (let i = 0; i < records.length; i += 60)
    resultsOf((await api.post(`${path}/batch/update`, { records: records.slice(i, i + 60) })).data);
}

async function takeAway(scene: Scene, { workspace, gone, club, vault, ids, aliases }: Population): Promise<void> {
  const api = scene.api(workspace.ada);
  const { uuid } = workspace;
  for (const group of [club, vault]) {
    for (const type of TYPES.filter((name) => customFieldTypes[name].hasOptions)) {
      const path = `/v1/groups/${group.id}/custom-fields/person/${encodeURIComponent(nameOf(type))}`;
      const { options } = (await api.get(path)).data as unknown as { options: { id: string; label: string }[] };
      const removeOptions = options.filter(({ label }) => REMOVED_LABELS.includes(label)).map(({ id }) => id);
      expectOk(await api.patch(path, { removeOptions }));
    }
  }
  await scene.server.database.read(
    `with removed as (update users set removed_at = now() where workspace_id = $1 and id = $2),
       ended as (delete from group_members where workspace_id = $1 and user_id = $2)
     update workspaces set catalog_version = catalog_version + 1 where id = $1`,
    [uuid, gone.uuid],
  );
  const [person = "", survivor = "", merged = ""] = ids.people;
  const [company = "", kept = "", united = ""] = ids.companies;
  const [object = "", stays = "", joined = ""] = ids.objects;
  for (const path of [`/v1/people/${person}`, `/v1/companies/${company}`, `/v1/groups/${club.id}/Deals/${object}`])
    expectOk(await api.delete(path));
  for (const [path, target, source] of [
    ["/v1/people", survivor, merged],
    ["/v1/companies", kept, united],
    [`/v1/groups/${club.id}/Deals`, stays, joined],
  ] as const) {
    expectOk(await api.post(`${path}/${target}/merge`, { records: [{ id: source }] }));
    aliases.set(source, target);
  }
}

function expectOk({ status, text }: { status: number; text: string }): void {
  if (status !== 200) throw new Error(`seed ${SEED}: ${status} ${text}`);
}
