import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the range from which Linux and macOS take ports for outgoing connections, so that none of those takes it first. */
const minPort = 20_000
const maxPort = 32_000

/** Finds a TCP port of 127.0.0.1 on which no process listens at the moment. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(minPort, maxPort)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer().on('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
