import { randomUUID } from "node:crypto";
import { Errors, type Packet, Transporters } from "moleculer";
import { type ConnectionOptions, connect, DebugEvents, type Msg, type NatsConnection, type PublishOptions } from "nats";
import { answersWithin } from "../base/loop/answers-within.ts";
import { BODY_BYTES_MAX, READY_CHECK_MS } from "../config/limits.ts";
import { closerOfAttempts, cutOff, endWhenUnreadable } from "./broken-connection.ts";
import {
  type Entry,
  entryOfRequest,
  entryOfResponse,
  isBundle,
  type Payload,
  readBundle,
  readsBundles,
  writeBundle,
} from "./bundles.ts";
import { createGathering } from "./gathering.ts";
import { failAll, failOwed, owedBy, type PendingCall } from "./pending-calls.ts";
import { cutIntoPieces, isPiece, openAssembly } from "./pieces.ts";
import type { PacketSeal } from "./seal.ts";

/** Interval at which nodes that owe an answer are asked whether they live. */
const ALIVE_CHECK_MS = 500;
/** Time for a node that was without its connection to send the answers that it owes. */
const LATE_ANSWERS_MS = 1_000;
/** Longest time that a stopping process waits until its last messages have left. */
const FLUSH_MS = 1_000;
/** The packets that make a node a member, or keep it one. */
const MAKES_MEMBER = new Set(["INFO", "HEARTBEAT"]);
/** Shortest interval between two log lines about dropped packets. */
const DROPS_TOLD_MS = 60_000;

/**
 * Moleculer's NATS transporter, which behaves in another way when something is away. With Moleculer's own one half of
 * all calls hung for up to 30 s after a replica had died.
 *
 * - While NATS is away, calls in flight and new ones fail at once, and not only after their time-out. A node that is
 *   back tells the others, whose calls to it would wait for answers that are lost.
 * - A node that has died is taken out of the registry with the first call that finds it gone, or within half a second
 *   when it owes an answer. NATS reports it: it answers a message without receivers with "no responders".
 * - Packets are sealed: other clients of NATS cannot read them, and packets without the seal of this installation are
 *   dropped (bus/seal.ts).
 * - Messages above the limit of the NATS server travel in pieces.
 * - Calls and answers of one turn of the event loop leave as one message, if their receiver reads such bundles.
 * - Received data are not copied.
 */
export class BusTransporter extends Transporters.NATS {
  override client: NatsConnection | null = null;
  readonly #connection: ConnectionOptions;
  readonly #seal: PacketSeal;
  /** Reply subjects of calls begin with this. Only NATS itself writes there, when nobody receives the message. */
  readonly #inbox = `_INBOX.${randomUUID()}`;
  readonly #assemble = openAssembly();
  #aliveCheck: NodeJS.Timeout | undefined;
  readonly #gathering = createGathering((subject, entries) => this.#sendBundle(subject, entries));
  #messagesSent = 0;
  #dropped = { count: 0, toldAt: -DROPS_TOLD_MS };
  #hasLeft = false;

  constructor(connection: ConnectionOptions, seal: PacketSeal) {
    super({});
    this.#connection = connection;
    this.#seal = seal;
  }

  override async connect(): Promise<void> {
    const client = await connect(this.#connection);
    this.client = client;
    this.#compareLimits(client);
    client.subscribe(`${this.#inbox}.>`, { callback: (error, message) => !error && this.#noResponder(message) });
    client.subscribe(this.#aliveSubject(this.nodeID), { callback: () => undefined });
    client.subscribe(this.#lostSubject, { callback: (error, message) => !error && this.#answersAreLost(message) });
    this.#aliveCheck = setInterval(() => this.#askWhetherAlive(), ALIVE_CHECK_MS).unref();
    void this.#followStatus(client);
    await this.onConnected();
  }

  override async disconnect(): Promise<void> {
    clearInterval(this.#aliveCheck);
    this.#gathering.send();
    const { client } = this;
    this.client = null;
    // While NATS is away a flush would wait for its return.
    if (this.connected)
      await Promise.race([client?.flush(), new Promise((done) => setTimeout(done, FLUSH_MS).unref())]);
    this.connected = false;
    await client?.close();
  }

  /** Whether NATS answers now. `connected` stays true until a silent connection is found out. */
  async answers(): Promise<boolean> {
    const { client } = this;
    return this.connected && client !== null && answersWithin(READY_CHECK_MS, client.flush());
  }

  /**
   * Takes this node out of the registries of all others, whose calls to it fail, until `rejoin`. It makes calls itself
   * as before.
   */
  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    await this.transit.sendDisconnectPacket();
  }

  async rejoin(): Promise<void> {
    if (!this.#hasLeft) return;
    this.#hasLeft = false;
    await this.transit.discoverer.sendLocalNodeInfo();
  }

  override async subscribe(command: string, nodeID?: string): Promise<void> {
    const subject = this.getTopicName(command, nodeID);
    const open = this.#seal.openerOf(subject);
    this.client?.subscribe(subject, {
      callback: (error, message) => {
        if (error) return;
        const { buffer, byteOffset, length } = message.data;
        const data = Buffer.from(buffer, byteOffset, length);
        const whole = isPiece(message.headers) ? this.#assemble(data, message.headers) : data;
        if (!whole) return;
        const packet = open(whole);
        if (packet === null) this.#tellOfDropped(subject);
        else if (isBundle(packet)) this.#receiveBundle(command, packet);
        else void this.receive(command, packet);
      },
    });
  }

  override async publish(packet: Packet.Packet<Payload>): Promise<void> {
    if (this.#hasLeft && MAKES_MEMBER.has(packet.type)) return;
    const entry = this.#entryOf(packet);
    if (entry) {
      this.#gathering.add(this.getTopicName(packet.type, packet.target), entry);
      return;
    }
    // A node that stops says so behind its last answers.
    this.#gathering.send();
    await super.publish(packet);
  }

  override async send(topic: string, packet: Buffer, meta?: { packet?: Packet.Packet<Payload> }): Promise<void> {
    this.#sendMessage(topic, packet, meta?.packet?.type === "REQ" ? [meta.packet.payload.id] : []);
  }

  /** @param calls ids of the calls in the message */
  #sendMessage(topic: string, message: Buffer, calls: string[]): void {
    const { client } = this;
    if (!client) return;
    const number = ++this.#messagesSent;
    for (const id of calls) {
      const request: PendingCall | undefined = this.transit.pendingRequests.get(id);
      if (request) request.message = number;
    }
    const options: PublishOptions = calls.length > 0 ? { reply: `${this.#inbox}.call.${number}` } : {};
    const data = this.#seal.seal(topic, message);
    const largest = client.info?.max_payload ?? data.length;
    if (data.length <= largest) {
      client.publish(topic, data, options);
      return;
    }
    const [first, ...rest] = cutIntoPieces(data, largest, `${this.nodeID}-${number}`);
    if (first) client.publish(topic, first.data, { ...options, headers: first.headers });
    for (const piece of rest) client.publish(topic, piece.data, { headers: piece.headers });
  }

  /** A call or an answer for a node that reads bundles; undefined for all other packets. */
  #entryOf({ type, target, payload }: Packet.Packet<Payload>): Entry | undefined {
    if ((type !== "REQ" && type !== "RES") || !target || payload.stream) return undefined;
    if (!readsBundles(this.broker.registry.nodes.get(target)?.metadata)) return undefined;
    return "success" in payload ? entryOfResponse(payload) : entryOfRequest(payload);
  }

  /** A bundle that was gathered when NATS went away is dropped: its calls have failed. */
  #sendBundle(topic: string, entries: Entry[]): void {
    if (!this.connected) return;
    const calls = entries.flatMap(({ call }) => call ?? []);
    this.#sendMessage(topic, writeBundle(this.broker.PROTOCOL_VERSION, this.nodeID, entries), calls);
  }

  #receiveBundle(command: string, bundle: Buffer): void {
    try {
      for (const payload of readBundle(bundle))
        void this.transit.messageHandler(command, { type: command, payload } as Packet.Packet<Payload>);
    } catch (error) {
      this.logger.warn("A bundle cannot be read:", error);
    }
  }

  async #followStatus(client: NatsConnection): Promise<void> {
    const closeLastAttempt = closerOfAttempts(client);
    endWhenUnreadable(client);
    for await (const { type } of client.status()) {
      if (type === DebugEvents.StaleConnection) cutOff(client);
      else if (type === DebugEvents.Reconnecting) {
        closeLastAttempt();
        endWhenUnreadable(client);
      } else if (type === "disconnect") this.#beginOutage();
      else if (type === "reconnect") this.#endOutage();
    }
  }

  /** Fails all calls that are in flight: their answers are lost with the connection. */
  #beginOutage(): void {
    if (!this.connected) return;
    this.connected = false;
    this.logger.warn("NATS does not answer. Calls to other processes fail until it is back.");
    failAll(this.transit);
  }

  /** Makes this node and the others known to each other again. */
  #endOutage(): void {
    if (!this.client) return;
    this.connected = true;
    this.logger.info("NATS is back.");
    this.client.publish(this.#lostSubject, this.nodeID);
    void this.transit.discoverer.sendLocalNodeInfo();
    void this.transit.discoverer.discoverAllNodes();
  }

  /**
   * Fails the calls of a node that was disconnected: it may not have got them, or its answers may be lost. They may
   * have run. This waits a moment first, because answers to running calls arrive on the new connection.
   */
  #answersAreLost(message: Msg): void {
    const owed = owedBy(this.transit, message.string());
    setTimeout(() => failOwed(this.transit, owed), LATE_ANSWERS_MS).unref();
  }

  #noResponder({ subject, headers }: Msg): void {
    if (headers?.code !== 503) return;
    const [kind, ...rest] = subject.slice(this.#inbox.length + 1).split(".");
    const name = rest.join(".");
    if (kind === "node") this.#nodeIsGone(name);
    else this.#messageIsUndelivered(Number(name));
  }

  #messageIsUndelivered(number: number): void {
    const { pendingRequests } = this.transit;
    const undelivered = [...pendingRequests].filter(([, { message }]: [string, PendingCall]) => message === number);
    for (const [id, { nodeID, ctx, reject }] of undelivered) {
      pendingRequests.delete(id);
      // bus/remote-calls.ts makes these calls again, on another node.
      reject(new Errors.ServiceNotAvailableError({ action: ctx.action?.name, nodeID }));
    }
    for (const nodeID of new Set(undelivered.map(([, request]) => request.nodeID))) this.#nodeIsGone(nodeID);
  }

  /**
   * Takes a node out of the registry at once. The calls whose answer it owes fail only after a round trip to NATS,
   * which answers in order: by then it has told which of them had no receiver and can be made again. The others may
   * have run.
   */
  #nodeIsGone(nodeID: string): void {
    const { discoverer, pendingRequests } = this.transit;
    const owed = owedBy(this.transit, nodeID);
    for (const [id] of owed) pendingRequests.delete(id);
    discoverer.remoteNodeDisconnected(nodeID, true);
    for (const [id, request] of owed) pendingRequests.set(id, request);
    this.#gathering.send();
    const fail = () => failOwed(this.transit, owed);
    if (owed.length > 0) void this.client?.flush().then(fail, fail);
  }

  /**
   * Asks the nodes that owe answers whether they live. Without it the calls to a node that has died would end by their
   * time-out.
   */
  #askWhetherAlive(): void {
    if (!this.connected) return;
    const owing = new Set([...this.transit.pendingRequests.values()].map(({ nodeID }) => nodeID));
    for (const nodeID of owing) {
      this.client?.publish(this.#aliveSubject(nodeID), undefined, { reply: `${this.#inbox}.node.${nodeID}` });
    }
  }

  /**
   * Logs that packets were dropped which came again, or which no process of this installation has sealed. The number
   * tells an older process that is still running from an attack.
   */
  #tellOfDropped(subject: string): void {
    this.#dropped.count += 1;
    if (performance.now() - this.#dropped.toldAt < DROPS_TOLD_MS) return;
    this.logger.warn(
      `Dropped ${this.#dropped.count} messages of NATS, the last one on ${subject}, which no process with this database has just sealed. Does another installation use this NAMESPACE, or an older version?`,
    );
    this.#dropped = { count: 0, toldAt: performance.now() };
  }

  /** Subject on which a node says that it has lost its connection for a while. */
  get #lostSubject(): string {
    return `${this.prefix}.LOST`;
  }

  #aliveSubject(nodeID: string): string {
    return `${this.prefix}.ALIVE.${nodeID}`;
  }

  #compareLimits(client: NatsConnection): void {
    const largest = client.info?.max_payload ?? 0;
    if (largest >= BODY_BYTES_MAX) return;
    this.logger.warn(
      `NATS takes messages of ${largest} bytes, requests may have ${BODY_BYTES_MAX}: larger ones travel in pieces. Set max_payload as in k8s/nats/common.conf to spare that.`,
    );
  }
}
