import { randomUUID } from "node:crypto";
import { PREFIXES } from "../../base/values/ids.ts";
import type { TestGroup, TestUser, TestWorkspace } from "../../lab/harness/world.ts";
import { PLAIN_RESOURCES } from "../../scripts/openapi/plain-resources.ts";
import type { Client } from "../support/client.ts";
import { publish } from "../support/events.ts";
import type { Scene } from "../support/scene.ts";
import { type Operation, titleOf } from "./operations.ts";
import { type Ids, isId, type Schema, sample, text, typeOf } from "./schemas.ts";

/** What the sweeps need of a workspace: something of every kind that a path can name. */
interface Stock {
  workspace: TestWorkspace;
  /** Path parameter → a value of this workspace. */
  names: Record<string, string>;
  ids: Ids;
  group: TestGroup;
}

export interface Material extends Stock {
  foreign: Stock;
  /** A private group of the same workspace that Ada is no member of. */
  hidden: TestGroup;
}

/** Path parameter that is an id → its prefix. */
export const ID_PARAMETERS: Record<string, string> = Object.fromEntries(
  Object.entries(PREFIXES).map(([kind, prefix]) => [`${kind}Id`, `${prefix}_`]),
);

const STATUS = { type: "singleSelect", name: "Status", options: [{ label: "Lead" }, { label: "Customer" }] };
const AMOUNT = { type: "numericField", name: "Amount" };

/** A workspace of Ada's, a foreign one, and a group that is hidden from her. */
export async function makeMaterial(scene: Scene): Promise<Material> {
  const [own, foreign] = await Promise.all([stock(scene), stock(scene)]);
  const bob = await own.workspace.user("Bob Stone");
  return { ...own, foreign, hidden: await own.workspace.group(bob, { name: "Hidden" }) };
}

async function stock(scene: Scene): Promise<Stock> {
  const workspace = await scene.workspace();
  const { ada } = workspace;
  const cleo = await workspace.user("Cleo Park");
  const group = await workspace.group(ada, { members: [[cleo, "reader"]] });
  const field = await workspace.field(ada, group, "person", STATUS);
  await workspace.field(ada, group, "person", AMOUNT);
  await workspace.field(ada, group, "person", { type: "objectField", name: "Deals" });
  const { ids, names } = await records(scene, ada, group);
  // One that can be sent again, whatever of the workspace is told by events.
  await publish(scene.server.database, workspace.uuid, [{}]);
  return {
    workspace,
    group,
    names: {
      userId: cleo.id,
      groupId: group.id,
      entityType: "person",
      customFieldName: "Status",
      objectType: "Deals",
      q: "ada",
      ...names,
    },
    ids: { usr_: cleo.id, grp_: group.id, gcfo_: field.options?.[0]?.id ?? "", ...ids },
  };
}

/** Two records of each kind: the sweeps change those that paths name, and let bodies name the others. */
async function records(
  scene: Scene,
  ada: TestUser,
  group: TestGroup,
): Promise<{ ids: Ids; names: Record<string, string> }> {
  const api = scene.api(ada);
  const groups = [{ id: group.id }];
  const make = async (path: string, bodies: object[]): Promise<[string, string]> => {
    const [named, other] = await Promise.all(bodies.map((body) => api.post(path, body)));
    return [named?.data.id ?? "", other?.data.id ?? ""];
  };
  const [personId, person] = await make("/v1/people", [{ fullName: "Grace Hopper", groups }, { groups }]);
  const [companyId, company] = await make(
    "/v1/companies",
    ["Acme", "Globex"].map((name) => ({ name: `${name} ${randomUUID()}`, groups })),
  );
  const [objectId, object] = await make(`/v1/groups/${group.id}/Deals`, [{ name: "Big deal" }, { name: "Small deal" }]);
  const note = { visibility: "public", content: "Met." };
  const [noteId, otherNote] = await make(
    "/v1/notes",
    [personId, person].map((id) => ({ ...note, entity: { id } })),
  );
  // It is done, so that marking it as to do changes something.
  const done = { title: "Send the offer", dueAt: "2030-01-31", completedAt: "2026-02-01T08:00:00.000Z" };
  const [taskId] = await make("/v1/tasks", [{ ...done, entity: { id: person } }]);
  const recurrenceRule = "DTSTART;TZID=UTC:20300115T090000\nRRULE:COUNT=1";
  const call = { name: "Call", recurrenceRule, visibility: "private", entity: { id: person } };
  const [reminderId] = await make("/v1/reminders", [call]);
  const talk = { dateTime: "2026-01-15T10:00:00.000Z", title: "Talk", content: "We talked.", activityType: "meeting" };
  const [interactionId] = await make("/v1/interactions", [{ ...talk, entity: { id: person } }]);
  const enrichmentId = (await api.post(`/v1/people/${personId}/enrich`)).data.id;
  const { webhookId, deliveryId } = await webhook(api);
  const ids = { per_: person, com_: company, obj_: object, nte_: otherNote };
  const names: Record<string, string> = {
    personId,
    companyId,
    objectId,
    noteId,
    taskId,
    reminderId,
    interactionId,
    enrichmentId,
    webhookId,
    deliveryId,
    "entity.id": person,
  };
  for (const { resource, path } of PLAIN_RESOURCES)
    names[`${resource.kind}Id`] ??= (await make(path, [sample(resource.createBody, ids) as object]))[0];
  return { ids, names };
}

/** A webhook whose deliveries nobody receives, and one of them. */
async function webhook(api: Client): Promise<{ webhookId: string; deliveryId: string }> {
  const sent = {
    name: "Mine",
    targetUrl: "https://receiver.invalid/",
    subscribedEvents: [{ eventType: "person.created" }],
  };
  const { data } = await api.post("/v1/webhooks", sent);
  const delivery = await api.post(`/v1/webhooks/${data.id}/test`);
  return { webhookId: data.id, deliveryId: delivery.data.id };
}

/** The path of an operation with a value for each parameter, also those of the query that it needs. */
export function pathOf(operation: Operation, names: Record<string, string>): string {
  const named = (name: string) => {
    const value = names[name];
    if (value === undefined)
      throw new Error(
        `${titleOf(operation)} has the parameter {${name}}: add a value of it to stock() in test/contract/material.ts.`,
      );
    return encodeURIComponent(value);
  };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named(name));
  const query = operation.query.map((name) => `${name}=${named(name)}`);
  return query.length > 0 ? `${path}?${query.join("&")}` : path;
}

/** The least body that an operation takes; undefined when it takes none. */
export function bodyOf({ params }: Operation, ids: Ids): unknown {
  return params.body && sample(params.body, ids);
}

/** An id of the same form that names nothing. */
export function randomId(parameter: string): string {
  return `${ID_PARAMETERS[parameter]}${randomUUID()}`;
}

/** Material with records of its own where an operation changes or removes those that its body names. */
export async function ownFor({ action }: Operation, scene: Scene, material: Material): Promise<Material> {
  // An update ends with one that is inactive, to which nothing can be sent.
  if (action === "webhooks.update")
    return { ...material, names: { ...material.names, ...(await webhook(scene.api(material.workspace.ada))) } };
  if (!/\.(batch(Update|Delete)|merge)$/.test(action)) return material;
  const { ids } = await records(scene, material.workspace.ada, material.group);
  return { ...material, ids: { ...material.ids, ...ids } };
}

/**
 * Names and ids for a body that shall be accepted, where the standing ones do not do: options are used up by being
 * removed, and only a numeric field takes a config.
 */
export async function freshFor(
  { action }: Operation,
  property: string,
  { workspace, group, names, ids }: Material,
): Promise<{ names: Record<string, string>; ids: Ids }> {
  if (action !== "custom-fields.update") return { names, ids };
  const definition = property === "config" ? AMOUNT : STATUS;
  const field = await workspace.field(workspace.ada, group, "person", { ...definition, name: `Field ${randomUUID()}` });
  return { names: { ...names, customFieldName: field.name }, ids: { ...ids, gcfo_: field.options?.[0]?.id ?? "" } };
}

/** Whether a path parameter is an id of exactly 40 characters. */
export const isIdParameter = (operation: Operation, name: string): boolean =>
  (operation.params[name] as Schema | undefined)?.minLength === 40;

/** A body that changes something: a batch has a record, names are new, and choices are not what comes first. */
export function fullBody(schema: Schema, ids: Ids): object {
  const { properties = {}, required = [] } = schema;
  if (properties.match) return upsertBody(properties, ids);
  if (properties.records?.items) return { records: [fullBody(properties.records.items, ids)] };
  const isText = (one: Schema): boolean => typeOf(one) === "string" && !one.enum && !one.format && !isId(one);
  const [name] = Object.entries(properties).find(([, one]) => isText(one)) ?? [];
  const choices = required.flatMap((one) => (properties[one]?.enum ? [[one, properties[one].enum.at(-1)]] : []));
  return {
    ...(sample(schema, ids) as object),
    ...Object.fromEntries(choices),
    ...(name !== undefined && { [name]: text(16) }),
  };
}

/** The body of an upsert by the key of its example, with a new value of it. */
function upsertBody({ match, record, records }: Record<string, Schema>, ids: Ids): object {
  const [key = ""] = (match?.example ?? []) as string[];
  const schema = record ?? records?.items ?? {};
  const value = typeOf(schema.properties?.[key] ?? {}) === "array" ? [text(16)] : text(16);
  const one = { ...(sample(schema, ids) as object), [key]: value };
  return { match: [key], ...(record ? { record: one } : { records: [one] }) };
}
