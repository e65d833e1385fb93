import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Forwards connections to a port of this machine until the network between is to fail. */
export async function startTcpProxy(targetPort: number) {
  const sockets = new Set<Socket>()
  let isForwarding = true

  function addSocket(socket: Socket) {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    if (!isForwarding) socket.pause()
  }
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1')
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      from.on('data', (chunk) => to.write(chunk))
      from.on('close', () => to.destroy())
      addSocket(from)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Swallows all packets: connections stay open and nothing answers. */
    blackHole() {
      isForwarding = false
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isForwarding = true
      for (const socket of sockets) socket.resume()
    },
    /** Closes all connections and refuses new ones until `listen` is called. */
    async refuse() {
      const serverClosed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await serverClosed
      const { port } = this
      return async () => void (await once(server.listen(port, '127.0.0.1'), 'listening'))
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>
