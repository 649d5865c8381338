import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { SWEEPS, sweep } from "../../../services/webhooks/retention/retention.service.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

const BEFORE = new Date("2026-06-01T00:00:00Z");

let test: TestDatabase;
const workspaceId: Uuid = newUuid();

beforeAll(async () => {
  test = await testDatabase();
});

afterAll(() => test.drop());

describe("The sweep of places of streams", () => {
  it("deletes those that were not renewed for its time, and no others", async () => {
    await test.database.read(
      `insert into event_streams (workspace_id, user_id, place, id, until)
       select $1, $1, n, $1, $2::timestamptz + (n - 2) * interval '1 s' from generate_series(1, 3) n`,
      [workspaceId, BEFORE],
    );
    expect(await sweep(test.database, SWEEPS["places of streams"], BEFORE)).toBe(1);
    expect(await test.database.read("select place from event_streams order by place")).toEqual([
      { place: 2 },
      { place: 3 },
    ]);
  });
});
