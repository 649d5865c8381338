import { type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { ImportedInteraction } from "../../engine/interactions/imported.ts";
import { until } from "../../lab/harness/until.ts";
import { adminOf, type TestAdmin } from "./admin.ts";
import { type Client, client, type Item } from "./client.ts";
import type { testFolder } from "./folder.ts";
import type { TestServer } from "./server.ts";
import type { WebhookReceiver } from "./webhook-receiver.ts";

/** A workspace in which one person stands everywhere where a person can stand. */
export interface RichWorkspace {
  slug: string;
  uuid: Uuid;
  admin: Omit<TestAdmin, "query">;
  api: Client;
  /** Ada, a reader of private groups like all users. */
  person: Item;
  /** Who was merged into her. */
  merged: Item;
  /** Somebody else, with whom she has interactions. */
  other: Item;
  company: Item;
  deal: Item;
  /** Everything that tells of her, and of nobody else. */
  marks: string[];
  /** The write of hers that has an answer which is saved. */
  write: { path: string; body: object; key: string };
  close(): Promise<void>;
}

const EMAIL = "grace.hopper@navy.example";
const SECOND_EMAIL = "amazing.grace@cobol.example";
const OLD_EMAIL = "grace.murray@vassar.example";
const PHONE = "+1 202 555 0142";
const NAME = "Grace Brewster Hopper";

function worldFile(slug: string): string {
  return `workspace: ${slug}
name: Rich
users:
  - { email: ada@acme.test, fullName: Ada Lovelace, role: admin }
  - { email: bob@acme.test, fullName: Bob Stone }
groups:
  - name: Sales
    members: [{ user: ada@acme.test, role: admin }, { user: bob@acme.test, role: reader }]
    fields:
      Deals:
        - { name: Amount, type: numericField, config: { format: currency, currency: USD } }
        - { name: Buyers, type: contactField }
      person:
        - { name: Status, type: singleSelect, options: [Lead, Customer] }
        - { name: Tags, type: multipleSelect, options: ["A; B", "=SUM", '"quoted"', Plain] }
        - { name: Nickname, type: textField }
        - { name: Height, type: numericField }
        - { name: Met, type: dateField }
        - { name: Owner, type: userField }
        - { name: Knows, type: contactField }
        - { name: emails, type: textField }
      company:
        - { name: Champion, type: contactField }
        - { name: Deals, type: objectField }
  - name: Board
    visibility: public
    fields: { person: [{ name: Seat, type: textField }] }
`;
}

/**
 * Waits until everything that happened is counted and delivered, so that nothing more is written by itself.
 */
export async function atRest(database: TestServer["database"]): Promise<void> {
  const unfinished = `
    select 1 from interaction_uncounted where date_time <= now()
    union all select 1 from webhook_progress p join change_log l using (workspace_id) where l.seq > p.through
    union all select 1 from deliveries where status = 'pending' union all select 1 from webhook_queues where lease is not null`;
  await until("everything is told", async () => (await database.read(unfinished)).length === 0, 30_000);
}

/** Makes it through the API of a server, so that everything is written as it is in use. */
export async function richWorkspace(
  server: TestServer & { databaseUrl: string },
  files: ReturnType<typeof testFolder>,
  { slug, receiver }: { slug: string; receiver?: WebhookReceiver },
): Promise<RichWorkspace> {
  const admin = adminOf(server.databaseUrl);
  const applied = await admin.run("apply --json", files.write(`${slug}.yaml`, worldFile(slug)));
  const [{ id, groups }] = applied.json<{ workspaces: [{ id: string; groups: { id: string; name: string }[] }] }>()
    .workspaces;
  const group = (name: string) => groups.find((one) => one.name === name)?.id ?? "";
  const [sales, board] = [group("Sales"), group("Board")];
  const issued = await admin.run(`keys create --workspace ${slug} --user ada@acme.test --json`);
  const api = client(server, issued.json<{ key: string }>().key);
  let writes = 0;
  const make = async (path: string, body: object): Promise<Item> => {
    writes += 1;
    const answer = await api.post(path, body, { "Idempotency-Key": `write-${writes}` });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.data;
  };
  const uuid = uuidOf("workspace", id) as Uuid;

  if (receiver) {
    const hook = await make("/v1/webhooks", {
      name: "All",
      targetUrl: receiver.url,
      subscribedEvents: ["person.created", "person.updated", "person.deleted", "object.updated"].map((eventType) => ({
        eventType,
      })),
    });
    receiver.expect(String(hook.signingSecret));
  }
  const company = await make("/v1/companies", { name: "US Navy; Reserve", groups: [{ id: sales }] });
  const merged = await make("/v1/people", { fullName: "Grace Murray", emails: [OLD_EMAIL] });
  const other = await make("/v1/people", {
    fullName: "Katherine Johnson",
    emails: ["katherine@nasa.example"],
    groups: [{ id: sales }],
  });
  const key = "the-write";
  const body = {
    fullName: NAME,
    emails: [EMAIL, SECOND_EMAIL],
    phones: [PHONE],
    addresses: ["1 Main Street; Suite 2\nArlington, VA"],
    urls: ["https://navy.example/grace"],
    jobTitle: "-Rear admiral",
    birthday: "1906-12-09",
    gender: "Female",
    description: '=HYPERLINK("x")\r\nSaid "it\'s easier", and more',
    companies: [{ id: company.id }, { name: "Vassar" }],
    groups: [{ id: sales }, { id: board }],
    customFieldValues: {
      [sales]: {
        Status: "Customer",
        Tags: ["A; B", '"quoted"', "Plain"],
        Nickname: "Amazing",
        Height: "1.68",
        Met: "2026-01-31",
        Owner: [{ email: "ada@acme.test" }],
        Knows: [{ id: other.id }, { id: company.id }],
        emails: "a custom field",
      },
      [board]: { Seat: "7" },
    },
  };
  const made = await api.post("/v1/people", body, { "Idempotency-Key": key });
  const person = made.data;
  await make(`/v1/people/${person.id}/merge`, { records: [{ id: merged.id }] });
  const deal = await make(`/v1/groups/${sales}/Deals`, {
    name: "Compilers",
    people: [{ id: person.id }, { id: other.id }],
    companies: [{ id: company.id }],
    customFieldValues: { Amount: "1250.5", Buyers: [{ id: person.id }] },
  });
  await api.patch(`/v1/companies/${company.id}`, {
    customFieldValues: { [sales]: { Champion: [{ id: person.id }], Deals: [{ id: deal.id }] } },
  });
  const note = await make("/v1/notes", { entity: { id: person.id }, visibility: "public", content: `Met ${NAME}` });
  await make("/v1/notes", {
    entity: { id: person.id },
    visibility: "private",
    content: "Sent the invitation.",
    parentNote: { id: note.id },
  });
  await make("/v1/notes", { entity: { id: other.id }, visibility: "public", content: "An unrelated note." });
  await make("/v1/tasks", { entity: { id: person.id }, title: "Call Grace", dueAt: "2031-01-31" });
  await make("/v1/reminders", {
    entity: { id: person.id },
    name: "Ask again",
    visibility: "private",
    recurrenceRule: "DTSTART;TZID=Europe/Paris:20310701T090000\nRRULE:FREQ=WEEKLY;INTERVAL=1",
  });
  await make("/v1/interactions", {
    entity: { id: person.id },
    dateTime: "2026-01-15T10:00:00",
    title: "Coffee",
    content: "Wants a demo.",
    activityType: "coffee",
  });
  await importInteractions(admin, slug);
  await admin.run(`credits --workspace ${slug} --set 5`);
  await make(`/v1/people/${person.id}/enrich`, {});
  await server.database.read(
    "update enrichments set status = 'completed', finished_at = now(), due_at = null, lease = null, added_fields = '{jobTitle}' where workspace_id = $1",
    [uuid],
  );
  await api.patch(`/v1/people/${person.id}`, { phones: [PHONE, "+1 202 555 0143"] });
  await atRest(server.database);
  return {
    slug,
    uuid,
    admin,
    api,
    person,
    merged,
    other,
    company,
    deal,
    marks: [
      EMAIL,
      SECOND_EMAIL,
      OLD_EMAIL,
      PHONE,
      NAME,
      "Grace Murray",
      ...[person, merged].map((one) => one.id.slice(4)),
    ],
    write: { path: "/v1/people", body, key },
    close: admin.close,
  };
}

/** One mail with her alone, and one with somebody else too. */
async function importInteractions(admin: Omit<TestAdmin, "query">, slug: string): Promise<void> {
  const { caller } = await admin.call<{ caller: never }>("workspaces.caller", { workspace: slug });
  const grace = { type: "email" as const, value: EMAIL, name: NAME };
  const mail = (id: string, to: ImportedInteraction["to"]): ImportedInteraction => ({
    id,
    interactionType: "email",
    dateTime: "2026-02-01T09:00:00Z",
    title: `About ${NAME}`,
    content: {
      subject: "Compilers",
      snippet: `Dear ${EMAIL}`,
      body: `Call ${PHONE}, or write to ${EMAIL.toUpperCase()}.`,
    },
    from: { type: "email", value: "ada@acme.test", name: "Ada Lovelace" },
    to,
  });
  await admin.call(
    "interactions-import.write",
    {
      interactions: [
        mail("mail-1@acme.test", [grace]),
        mail("mail-2@acme.test", [
          grace,
          { type: "email", value: "katherine@nasa.example", name: "Katherine Johnson" },
        ]),
      ],
      create: false,
      dryRun: false,
    },
    caller,
  );
}
