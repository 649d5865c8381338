import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createPacketSeal } from "../../bus/seal.ts";

const SUBJECT = "MOL-test.REQ.node-1";
const secret = randomBytes(32);
const packet = Buffer.from('{"action":"keys.create"}');

// docs/guides/growing.md#the-bus
describe("The seal of the bus", () => {
  const sender = createPacketSeal(secret);
  const opener = () => createPacketSeal(secret).openerOf(SUBJECT);

  it.each([0, 1, 15, 16, 4096, 1_000_000])(
    "gives back what was sealed by another process, and shows none of it: %i bytes",
    (size) => {
      const sent = randomBytes(size);
      const sealed = sender.seal(SUBJECT, sent);
      expect(opener()(sealed)).toEqual(sent);
      expect(size > 8 && sealed.includes(sent)).toBe(false);
    },
  );

  it("never gives the same bytes twice, for one subject, for several, and in several processes", () => {
    const subjects = [SUBJECT, `${SUBJECT}0`, "MOL-test.INFO"];
    const seals = [sender, createPacketSeal(secret)];
    const made = seals.flatMap(({ seal }) =>
      subjects.flatMap((subject) =>
        [1, 2, 3].map(() =>
          seal(subject, packet)
            .subarray(-packet.length - 16)
            .toString("hex"),
        ),
      ),
    );
    expect(new Set(made).size).toBe(18);
  });

  it("refuses what is not sealed, or with another secret, for another subject, or was changed in any byte", () => {
    const open = opener();
    const sealed = sender.seal(SUBJECT, packet);
    expect(open(packet)).toBeNull();
    expect(open(Buffer.alloc(0))).toBeNull();
    expect(open(createPacketSeal(randomBytes(32)).seal(SUBJECT, packet))).toBeNull();
    expect(open(sender.seal("MOL-test.REQ.node-2", packet))).toBeNull();
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect([i, open(changed)]).toEqual([i, null]);
    }
    expect(open(sealed.subarray(0, -1))).toBeNull();
    expect(open(sealed)).toEqual(packet);
  });

  it("opens each packet once, and none that was sealed before another one that has come", () => {
    const open = opener();
    const [first, second, third] = [1, 2, 3].map(() => sender.seal(SUBJECT, packet)) as [Buffer, Buffer, Buffer];
    expect(open(first)).toEqual(packet);
    expect(open(first)).toBeNull();
    expect(open(third)).toEqual(packet);
    expect(open(second)).toBeNull();
    // Others who send count by themselves.
    expect(open(createPacketSeal(secret).seal(SUBJECT, packet))).toEqual(packet);
  });
});
