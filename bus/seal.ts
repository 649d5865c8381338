import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";

/** Encrypts the packets of this process, and opens those of the others. */
export interface PacketSeal {
  /** A packet as it crosses the bus on this subject. */
  seal(subject: string, packet: Buffer): Buffer;
  /**
   * Returns the function that opens messages of a subject: the packet, or null for a message that no process of this
   * installation has sealed for this subject, and for one that has arrived before.
   */
  openerOf(subject: string): (sealed: Buffer) => Buffer | null;
}

/** One sender and one subject. */
interface Way {
  key: KeyObject;
  /** Number of the last packet that was sealed or opened; the first one is 1. */
  count: number;
}

const CIPHER = "aes-256-gcm";
/** The first byte of every sealed packet. A packet in the clear begins with the `{` of its JSON. */
const FORMAT = 1;
const SENDER_BYTES = 12;
const COUNT_BYTES = 6;
const HEAD_BYTES = 1 + SENDER_BYTES + COUNT_BYTES;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * The seal of an installation's bus. A client that reaches NATS can read and publish messages there, and the services
 * trust what a packet says: the caller, and the answer that has a new API key in it. So every packet is encrypted and
 * authenticated by AES-256-GCM, with a key that only processes with access to the database can have.
 * docs/guides/growing.md#the-bus
 *
 * A sealed packet is the format, a random name that the sender has given itself at its start, the number of the packet,
 * the encrypted packet and the tag. Each sender has a key of its own for each subject, made of the secret. So a number
 * is used once with a key, as GCM needs it, and a recorded packet cannot be sent to another node.
 * NATS keeps the order of what one sender publishes on one subject, so a number that is not above the last one belongs
 * to a packet that is sent again, and is refused. No clock is asked, since an installation must not fall silent because
 * one of its clocks is wrong.
 * @param secret the one that all processes of the installation share
 */
export function createPacketSeal(secret: Buffer): PacketSeal {
  const self = randomBytes(SENDER_BYTES);
  const sending = new Map<string, Way>();

  const wayOf = (sender: Buffer, subject: string): Way => ({
    key: createSecretKey(Buffer.from(hkdfSync("sha256", secret, sender, `bus ${subject}`, KEY_BYTES))),
    count: 0,
  });

  function seal(subject: string, packet: Buffer): Buffer {
    const way = sending.get(subject) ?? wayOf(self, subject);
    if (way.count === 0) sending.set(subject, way);
    const sealed = Buffer.allocUnsafe(HEAD_BYTES + packet.length + TAG_BYTES);
    sealed[0] = FORMAT;
    self.copy(sealed, 1);
    sealed.writeUIntBE(++way.count, 1 + SENDER_BYTES, COUNT_BYTES);
    const cipher = createCipheriv(CIPHER, way.key, nonceOf(sealed));
    cipher.update(packet).copy(sealed, HEAD_BYTES);
    cipher.final();
    cipher.getAuthTag().copy(sealed, HEAD_BYTES + packet.length);
    return sealed;
  }

  function openerOf(subject: string): (sealed: Buffer) => Buffer | null {
    const receiving = new Map<string, Way>();
    return (sealed) => {
      if (sealed[0] !== FORMAT || sealed.length < HEAD_BYTES + TAG_BYTES) return null;
      const name = sealed.toString("latin1", 1, 1 + SENDER_BYTES);
      const way = receiving.get(name) ?? wayOf(sealed.subarray(1, 1 + SENDER_BYTES), subject);
      const count = sealed.readUIntBE(1 + SENDER_BYTES, COUNT_BYTES);
      if (count <= way.count) return null;
      const packet = decrypted(sealed, way.key);
      if (packet === null) return null;
      way.count = count;
      // A key that an attacker has made up is not kept.
      receiving.set(name, way);
      return packet;
    };
  }

  return { seal, openerOf };
}

/** The end of the head, which has the number of the packet: no other packet of the same key has it. */
function nonceOf(sealed: Buffer): Buffer {
  return sealed.subarray(HEAD_BYTES - NONCE_BYTES, HEAD_BYTES);
}

function decrypted(sealed: Buffer, key: KeyObject): Buffer | null {
  const decipher = createDecipheriv(CIPHER, key, nonceOf(sealed), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const packet = decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES));
  try {
    decipher.final();
    return packet;
  } catch {
    // `final` throws when the bytes or the key are others.
    return null;
  }
}
