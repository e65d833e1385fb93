import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connectOptions } from 'server/src/device-access/protocol/signature'
import type { DeviceRow } from 'server/src/device-access/testing'

/** Sockets that may be on their way at a time; a broker's backlog is small. */
const maxConnecting = 100
const keepaliveSeconds = 1200

/** Packets are written by hand, because ten thousand clients of a library need half a gigabyte. */
function encodePacket(type: number, ...parts: Buffer[]) {
  const body = Buffer.concat(parts)
  const lengthBytes: number[] = []
  let remaining = body.length
  do {
    lengthBytes.push((remaining % 128) + (remaining >= 128 ? 128 : 0))
    remaining = Math.floor(remaining / 128)
  } while (remaining > 0)
  return Buffer.concat([Buffer.from([type, ...lengthBytes]), body])
}
function encodeText(text: string) {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}
const encodeConnect = ({ clientId, username, password }: ReturnType<typeof connectOptions>) =>
  encodePacket(
    0x10,
    encodeText('MQTT'),
    // Version 3.1.1; user name, password and a clean session.
    Buffer.from([4, 0xc2, keepaliveSeconds >> 8, keepaliveSeconds & 255]),
    ...[clientId, username, password].map(encodeText),
  )
const encodePublish = (topic: string, payload: string) =>
  encodePacket(0x32, encodeText(topic), Buffer.from([0, 1]), Buffer.from(payload))

async function connectDevice(port: number, row: DeviceRow): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(encodeConnect(connectOptions(row)))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  if (answer[3] !== 0) throw new Error(`The broker refused a device with code ${answer[3]}`)
  return socket
}

/** Connects many devices through one broker, each with a socket of its own. */
export async function connectMany(url: string, rows: DeviceRow[]) {
  const port = Number(new URL(url).port)
  const sockets: Socket[] = []
  for (let start = 0; start < rows.length; start += maxConnecting)
    sockets.push(
      ...(await Promise.all(
        rows.slice(start, start + maxConnecting).map((row) => connectDevice(port, row)),
      )),
    )
  return {
    /** Each device reports one value at QoS 1. */
    reportAll(value: number) {
      rows.forEach(({ productKey, deviceName }, n) =>
        sockets[n]!.write(
          encodePublish(
            `/sys/${productKey}/${deviceName}/thing/event/property/post`,
            JSON.stringify({
              id: String(value),
              version: '1.0',
              sys: { ack: 0 },
              params: { Brightness: value },
            }),
          ),
        ),
      )
    },
    countOpen: () => sockets.filter((socket) => !socket.destroyed).length,
    close: () => sockets.forEach((socket) => socket.destroy()),
  }
}
