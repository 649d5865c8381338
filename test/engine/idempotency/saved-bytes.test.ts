import { expect, it } from "@jest/globals";
import { newUuid } from "../../../base/values/ids.ts";
import { ALWAYS_SAVED_BYTES_MAX, SAVED_BYTES_OF_USER_MAX, SAVED_RESPONSE_BYTES_MAX } from "../../../config/limits.ts";
import { savedBytes } from "../../../engine/idempotency/run-once.ts";

const HOUR = 60 * 60 * 1000;
const MOST = SAVED_BYTES_OF_USER_MAX / SAVED_RESPONSE_BYTES_MAX;

// docs/guides/idempotency.md#large-answers
it("the answers of a user are saved up to 2 GiB in an hour, and small ones beyond that", () => {
  const mayBeSaved = savedBytes();
  const user = { workspaceId: newUuid(), userId: newUuid() };
  const large = (now: number, of = user) => mayBeSaved(of, SAVED_RESPONSE_BYTES_MAX, now);
  for (let i = 0; i < MOST; i++) expect(large(i)).toBe(true);
  expect(large(HOUR / 2)).toBe(false);
  expect(mayBeSaved(user, ALWAYS_SAVED_BYTES_MAX, HOUR / 2)).toBe(true);
  expect(large(HOUR / 2, { ...user, userId: newUuid() })).toBe(true);
  expect(large(HOUR / 2, { ...user, workspaceId: newUuid() })).toBe(true);
});

it("the hour slides: half an hour into the next one half of the bytes count, and after two hours none", () => {
  const mayBeSaved = savedBytes();
  const user = { workspaceId: newUuid(), userId: newUuid() };
  const savedAt = (now: number) => {
    let count = 0;
    while (mayBeSaved(user, SAVED_RESPONSE_BYTES_MAX, now)) count += 1;
    return count;
  };
  expect(savedAt(0)).toBe(MOST);
  expect(savedAt(HOUR)).toBe(0);
  expect(savedAt(1.5 * HOUR)).toBe(MOST / 2);
  expect(savedAt(3.5 * HOUR)).toBe(MOST);
});
