import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../../../database/database.ts";
import { PLAIN_RESOURCES } from "../plain-resources.ts";
import { createIds, EXAMPLE_REQUEST_ID, EXAMPLE_TIME, exampleId, type Ids } from "./ids.ts";
import { EXAMPLE_TARGET, type Outside } from "./outside.ts";
import { send } from "./send.ts";

const POLL_MS = 20;
const WAIT_MS_MAX = 30_000;

/** A server that examples are sent to. */
export interface ExampleServer {
  base: string;
  publicUrl: string;
  databaseUrl: string;
  database: Pick<Database, "read">;
  /** Calls an action that no request leads to. */
  call<Result>(action: string, params: Record<string, unknown>): Promise<Result>;
  outside: Outside;
}

/** The workspace that all examples are about, as it is before the request of an example. */
export interface ExampleWorkspace {
  /** Key of Ada, an admin. */
  key: string;
  /** A key of hers that may only read. */
  readKey: string;
  /** A request of an example as it has to be sent here. */
  toReal(text: string): string;
  ids: Ids;
  madeAt: Date;
}

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const STATUS = {
  name: "Status",
  type: "singleSelect",
  options: [
    { label: "Lead", color: "#5738ff" },
    { label: "Customer", color: "#20cea9" },
  ],
};

/** The workspace of the examples as a file. docs/guides/workspace-file.md#the-file */
const FILE = {
  name: "Examples",
  users: [
    { email: ADA, fullName: "Ada Lovelace", role: "admin" },
    { email: BOB, fullName: "Bob Stone", role: "member" },
    { email: "cleo@example.com", fullName: "Cleo Park", role: "member" },
  ],
  groups: [
    {
      name: "Sales",
      visibility: "private",
      members: [
        { user: ADA, role: "admin" },
        { user: BOB, role: "reader" },
      ],
      fields: {
        Deals: [STATUS],
        person: [STATUS, { name: "Deals", type: "objectField" }],
        company: [STATUS, { name: "Deals", type: "objectField" }],
      },
    },
  ],
};

/** The body of the example of an operation. */
type Body = (operationId: string) => Record<string, unknown>;

type Learn = (...request: Step) => Promise<void>;
type Step = [method: string, path: string, body?: unknown];

let count = 0;

/**
 * Makes the workspace. Its things are those that the examples of the operations make, so that what is shown of a list
 * is what was shown of a POST.
 */
export async function makeExampleWorkspace(server: ExampleServer, body: Body): Promise<ExampleWorkspace> {
  count += 1;
  const workspace = `examples-${process.pid}-${count}`;
  await server.call("workspaces.apply", { documents: [{ workspace, ...FILE }] });
  const keyOf = async (access: "full" | "read") =>
    (await server.call<{ key: string }>("keys.create", { workspace, email: ADA, access })).key;
  const made = { key: await keyOf("full"), readKey: await keyOf("read"), ids: createIds(), madeAt: new Date() };
  const toReal = (text: string) =>
    made.ids
      .toReal(text)
      .replaceAll(EXAMPLE_TARGET, server.outside.target)
      .replaceAll(EXAMPLE_TIME, made.madeAt.toISOString());
  const learn = sender(server, { ...made, toReal });
  for (const stage of stages(body)) {
    for (const step of stage) await learn(...step);
    await until(async () => (await server.database.read(UNDONE, [workspace])).length === 0);
  }
  const refused = await refusedRequest(server, { ...made, toReal });
  return {
    ...made,
    toReal: (text) => toReal(text).replaceAll(`requestId=${EXAMPLE_REQUEST_ID}`, `requestId=${refused}`),
  };
}

/** The id of a request that is in the log, which has others each time. docs/guides/request-log.md */
async function refusedRequest({ base }: ExampleServer, { key, toReal }: ExampleWorkspace): Promise<string> {
  const url = base + toReal(`/v1/people/${exampleId("person")}`);
  const { text } = await send({ method: "PATCH", url, key, body: JSON.stringify({ gender: "Unsaid" }) });
  return (JSON.parse(text) as { error: { requestId: string } }).error.requestId;
}

/**
 * All things in the workspace beside its file, in the order in which examples get their ids. Webhooks come last, so
 * they get nothing but their test.
 */
function stages(body: Body): Step[][] {
  const group = `/v1/groups/${exampleId("group")}`;
  const { parentNote: _, ...note } = body("createNote");
  const things: Step[] = [
    ["GET", "/v1/users"],
    ["GET", "/v1/groups"],
    ...["person", "company", "Deals"].map((entity): Step => ["GET", `${group}/custom-fields/${entity}`]),
    ["POST", "/v1/companies", { ...body("createCompany"), name: "Analytical Engines" }],
    ["POST", "/v1/companies", { name: "Babbage & Sons" }],
    ["POST", "/v1/people", body("createPerson")],
    ["POST", "/v1/people", { fullName: "Charles Babbage", groups: body("createPerson").groups }],
    ["POST", `${group}/Deals`, body("createDeal")],
    ["POST", `${group}/Deals`, { name: "Jacquard loom" }],
    ["POST", "/v1/notes", note],
    ["POST", "/v1/tasks", body("createTask")],
    ["POST", "/v1/reminders", body("createReminder")],
    ["POST", "/v1/interactions", body("createInteraction")],
    ["POST", "/v1/interactions", { ...body("createInteraction"), title: "Demo", dateTime: "2030-01-15T10:00:00.000Z" }],
    ["POST", `/v1/people/${exampleId("person", 1)}/enrich`],
  ];
  const webhooks: Step[] = [
    ["POST", "/v1/webhooks", body("createWebhook")],
    ["POST", `/v1/webhooks/${exampleId("webhook")}/test`],
  ];
  const made = [...things, ...webhooks].map(([, path]) => path);
  const others = PLAIN_RESOURCES.filter(({ path }) => !made.includes(path));
  return [
    [...things, ...others.map(({ resource, path }): Step => ["POST", path, body(`create${resource.title}`)])],
    webhooks,
  ];
}

/** Query for the background work of a workspace that is still to be done. */
const UNDONE = `select 1 from workspaces w where slug = $1 and (
  exists (select 1 from enrichments where workspace_id = w.id and due_at is not null)
  or exists (select 1 from webhook_progress p join change_log l using (workspace_id) where workspace_id = w.id and l.seq > p.through)
  or exists (select 1 from interaction_uncounted where workspace_id = w.id and date_time <= now())
  or exists (select 1 from deliveries where workspace_id = w.id and status = 'pending'))`;

/** Makes a person and a company that are likely those of the examples, and waits until they are found. */
export async function makeTwins(server: ExampleServer, workspace: ExampleWorkspace): Promise<void> {
  const { key, toReal } = workspace;
  const learn = sender(server, workspace);
  const [person, company] = ["Ada King", "Analytical Engines Ltd."];
  await learn("POST", "/v1/people", { fullName: person, emails: ["ada@example.com"] });
  await learn("POST", "/v1/companies", { name: company });
  for (const [table, twin] of [
    ["people", person],
    ["companies", company],
  ])
    await until(async () => {
      const { text } = await send({ method: "GET", url: server.base + toReal(`/v1/${table}/duplicates`), key });
      return text.includes(JSON.stringify(twin));
    });
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + WAIT_MS_MAX; !(await isDone()); await pause(POLL_MS))
    if (Date.now() > deadline) throw new Error("The workspace of the examples does not come to rest.");
}

/** Sends requests of examples, and learns the ids in their answers. */
function sender(server: ExampleServer, { key, ids, toReal }: ExampleWorkspace): Learn {
  return async (method, path, sent) => {
    const body = sent === undefined ? undefined : toReal(JSON.stringify(sent));
    const { status, text } = await send({ method, url: server.base + toReal(path), key, body });
    if (status !== 200) throw new Error(`${method} ${path} ${body} is ${status}: ${text}`);
    ids.toExample(text);
  };
}
