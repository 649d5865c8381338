import { openDatabase } from "../../../database/database.ts";
import { until } from "../../harness/until.ts";
import { PATIENT } from "../../harness/waits.ts";
import { startWorld, type TestGroup, type TestUser, type TestWorkspace } from "../../harness/world.ts";

/** A user of an attacker's workspace. */
export interface AttackerUser {
  id: string;
  email: string;
  key: string;
}

/** A workspace in which somebody attacks. */
export interface AttackerWorkspace {
  uuid: string;
  /** Admins of the group, the first one of the workspace too. */
  users: AttackerUser[];
  /** A key that may only read, and one that was revoked. */
  reader: string;
  revoked: string;
  /**
   * A group with fields of people `Text 0` to `Text 9`, `Number`, `Select`, `Contacts`, `Users`, and the object type
   * `Deals`.
   */
  group: string;
}

export interface Workspaces {
  /** Users of one workspace who are contributors of its group; gives their keys. */
  victims(count: number): Promise<{ keys: string[]; group: string }>;
  attacker(users: number): Promise<AttackerWorkspace>;
  /**
   * Ends what is still to be done in the background for a workspace: it would go on beside the attacks that come next.
   */
  silence(uuid: string): Promise<void>;
  close(): Promise<void>;
}

const TEXTS = 10;

const SILENCE_MS_MAX = 30_000;
const SILENCE = [
  "update webhook_progress set through = (select last_value from change_log_seq) where workspace_id = $1",
  "update webhooks set status = 'inactive' where workspace_id = $1",
  "update webhook_queues set due_at = null where workspace_id = $1",
  "delete from deliveries where workspace_id = $1",
  "update tasks set next_trigger_at = null where workspace_id = $1",
  "delete from enrichments where workspace_id = $1",
];

/** Opens what makes workspaces in this database, besides the server. */
export async function openWorkspaces(databaseUrl: string): Promise<Workspaces> {
  const database = await openDatabase(databaseUrl, { waits: PATIENT });
  const world = await startWorld(database);
  return {
    async victims(count) {
      const workspace = await world.workspace();
      const users = await makeUsers(workspace, count);
      const group = await groupOf(workspace, users);
      await workspace.field(workspace.ada, group, "Deals", { type: "textField", name: "Stage" });
      return { keys: users.map(({ key }) => key), group: group.id };
    },
    async attacker(count) {
      const workspace = await world.workspace();
      const users = [workspace.ada, ...(await makeUsers(workspace, count - 1))];
      const group = await groupOf(workspace, users);
      await makeFields(workspace, group);
      const reader = await workspace.key(workspace.ada, { access: "read" });
      const revoked = await workspace.key(workspace.ada);
      await workspace.revoke(revoked.id);
      return {
        uuid: workspace.uuid,
        users: users.map(({ id, email, key }) => ({ id, email, key })),
        reader: reader.key,
        revoked: revoked.key,
        group: group.id,
      };
    },
    async silence(uuid) {
      // What the server does meanwhile with the same rows may deadlock with it; then it is done again.
      for (const statement of SILENCE)
        await until(statement, () => database.read(statement, [uuid]).then(() => true), SILENCE_MS_MAX);
    },
    async close() {
      await world.stop();
      await database.close();
    },
  };
}

function makeUsers(workspace: TestWorkspace, count: number): Promise<TestUser[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => workspace.user(`User ${i}`)));
}

/** A group of all of them as admins, with the object type Deals. */
async function groupOf(workspace: TestWorkspace, users: TestUser[]): Promise<TestGroup> {
  const { ada } = workspace;
  const members = users.filter((user) => user !== ada).map((user): [TestUser, "admin"] => [user, "admin"]);
  const group = await workspace.group(ada, { members });
  await workspace.field(ada, group, "person", { type: "objectField", name: "Deals" });
  return group;
}

async function makeFields(workspace: TestWorkspace, group: TestGroup): Promise<void> {
  const define = (definition: object) => workspace.field(workspace.ada, group, "person", definition);
  for (let i = 0; i < TEXTS; i++) await define({ type: "textField", name: `Text ${i}` });
  await define({ type: "numericField", name: "Number" });
  await define({ type: "singleSelect", name: "Select", options: [{ label: "One" }] });
  await define({ type: "contactField", name: "Contacts" });
  await define({ type: "userField", name: "Users" });
}
