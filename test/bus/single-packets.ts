import { Transporters } from "moleculer";
import type { NatsConnection } from "nats";
import { createPacketSeal } from "../../bus/seal.ts";

/**
 * Moleculer's own transporter with the seal: it sends each packet as a message of its own and cannot read bundles, as
 * releases before them.
 */
export class SinglePackets extends Transporters.NATS {
  readonly #seal: ReturnType<typeof createPacketSeal>;

  constructor(url: string, secret: Buffer) {
    super({ servers: url });
    this.#seal = createPacketSeal(secret);
  }

  override async subscribe(command: string, nodeID?: string): Promise<void> {
    const subject = this.getTopicName(command, nodeID);
    const open = this.#seal.openerOf(subject);
    (this.client as NatsConnection).subscribe(subject, {
      callback: (_error, { data }) => {
        const packet = open(Buffer.from(data));
        if (packet) void this.receive(command, packet);
      },
    });
  }

  override send(topic: string, packet: Buffer): Promise<void> {
    (this.client as NatsConnection).publish(topic, this.#seal.seal(topic, packet));
    return Promise.resolve();
  }
}
